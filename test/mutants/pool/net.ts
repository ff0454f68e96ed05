import type { Fault } from '../fault.ts';

/** A file beside the rooms that is one of them. */
export const netFaults: readonly Fault[] = [
	{
		name: 'net-absence-of-refusals',
		kind: 'guard',
		room: 'net',
		file: 'src/net.ts',
		text: '[404, 405, 410].includes(status)',
		replacement: 'status >= 400',
		harm: 'each refused token makes the protocol of a forge be asked for again',
	},
	{
		name: 'net-mixed-protocols',
		kind: 'field',
		room: 'net',
		file: 'src/net.ts',
		text: "at('lists').lists)",
		replacement: "at('todo').lists)",
		harm: 'on a forge whose services are of different age no mailing list opens',
	},
];
