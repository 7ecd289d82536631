import {arrowhead, outside} from './shapes.js';

const mostStrong = 3000; // arcs that are drawn strong, with their direction

// arcsLayer draws all of a graph on a canvas of their own, once for a camera: they are most
// of the work.
export function arcsLayer({canvas, camera, theme, trace: {directed, graph: {sources, targets}}}) {
  const layer = document.createElement('canvas');
  [layer.width, layer.height] = [canvas.width, canvas.height];
  const pen = layer.getContext('2d'), many = sources.length > mostStrong;
  pen.scale(camera.ratio, camera.ratio);
  pen.strokeStyle = theme.arc;
  pen.globalAlpha = many ? Math.max(0.12, 0.6 * mostStrong / sources.length) : 0.8;
  pen.lineWidth = many ? 0.5 : 1;
  pen.beginPath();
  for (let i = 0; i < sources.length; i++) {
    const from = camera.at(sources[i]), to = camera.at(targets[i]);
    if (outside(from, to, camera.width, camera.height)) continue;
    pen.moveTo(...from);
    pen.lineTo(...to);
    if (directed && !many) arrowhead(pen, from, to, camera.size());
  }
  pen.stroke();
  return layer;
}
