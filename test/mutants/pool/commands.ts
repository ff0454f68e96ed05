import type { Fault } from '../fault.ts';

/** The tables of commands, and what is made of them. */
export const commandFaults: readonly Fault[] = [
	{
		name: 'commands-marks-out-of-context',
		kind: 'guard',
		room: 'commands',
		file: 'src/commands/rows.ts',
		text: 'order.filter((mark) => set[mark])',
		replacement: 'order.filter((mark) => !set[mark])',
		harm: 'menus offer to mark as read what is read already',
	},
	{
		name: 'manifest-dead-entry-passes',
		kind: 'guard',
		room: 'manifest',
		file: 'src/manifest/tableProblems.ts',
		text: '!lacks.includes(mark)) &&',
		replacement: 'true) &&',
		harm: 'a menu entry that no row can show is published',
	},
];
