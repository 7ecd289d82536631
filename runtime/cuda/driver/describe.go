//go:build cuda && cgo

package driver

// #include "native.h"
import "C"

import "gorgonia.org/cu"

// describe reads the attributes of a device; it needs no context.
func describe(ordinal int) (cu.Device, Info, error) {
	device, err := cu.GetDevice(ordinal)
	if err != nil {
		return 0, Info{}, failed(err, "cuDeviceGet(%d)", ordinal)
	}
	info := Info{Ordinal: ordinal, Driver: cu.Version()}
	name, err := device.Name()
	if err != nil {
		return 0, Info{}, failed(err, "cuDeviceGetName(%d)", ordinal)
	}
	info.Name = name
	memory, err := device.TotalMem()
	if err != nil {
		return 0, Info{}, failed(err, "cuDeviceTotalMem(%d)", ordinal)
	}
	info.Memory = uint64(memory)
	err = attributes(device, &info)
	return device, info, err
}

// attributes reads the numbers among a device's attributes.
func attributes(device cu.Device, info *Info) error {
	var cooperative int
	for _, a := range []struct {
		what cu.DeviceAttribute
		to   *int
	}{
		{cu.ComputeCapabilityMajor, &info.Major},
		{cu.ComputeCapabilityMinor, &info.Minor},
		{cu.MultiprocessorCount, &info.Processors},
		{cu.L2CacheSize, &info.L2},
		{C.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &info.SharedBlock},
		{C.CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, &cooperative},
		{cu.ClockRate, &info.ClockKHz},
	} {
		x, err := device.Attribute(a.what)
		if err != nil {
			return failed(err, "cuDeviceGetAttribute(%d, %d)", a.what, info.Ordinal)
		}
		*a.to = x
	}
	info.Cooperative = cooperative != 0
	return nil
}
