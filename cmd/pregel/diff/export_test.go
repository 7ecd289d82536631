package diff

var Literal = literal
