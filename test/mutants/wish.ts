import type { Fault } from './fault.ts';
import { draw } from './draw.ts';
import { parseArgs } from 'node:util';

/** What the command was asked for. */
export interface MutantsWish {
	readonly faults: readonly Fault[];
	/** Undefined when nothing was drawn. */
	readonly seed: number | undefined;
	/** Where the report goes; undefined for none. */
	readonly report: string | undefined;
	readonly workers: number;
	readonly isSmallest: boolean;
}

const drawnFaults = 60;
const usualSeed = 20_261_121;

/** Two that are caught in a moment: they show that the command plants, runs and notices. */
const smallest = ['pace-ignores-503', 'verdict-question'];

/** Reads `[--seed N | --all | --smallest | NAME…] [--report FILE] [--workers N]`. A name is that of a fault or a room. */
export function readWish(
	args: readonly string[],
	pool: readonly Fault[],
	env: Readonly<Record<string, string | undefined>>,
): MutantsWish {
	const { values, positionals } = parseArgs({
		args: [...args],
		allowPositionals: true,
		options: {
			seed: { type: 'string' },
			all: { type: 'boolean', default: false },
			smallest: { type: 'boolean', default: false },
			report: { type: 'string' },
			workers: { type: 'string', default: '2' },
		},
	});
	const rest = { report: values.report, workers: wholeNumber('workers', values.workers), isSmallest: values.smallest };
	const names = values.smallest ? smallest : positionals;
	if (values.all) {
		return { ...rest, faults: pool, seed: undefined };
	}
	if (names.length > 0) {
		return { ...rest, faults: named(names, pool), seed: undefined };
	}
	const seed = wholeNumber('seed', values.seed ?? env['FORGE_DESK_SEED'] ?? String(usualSeed));
	return { ...rest, faults: draw(pool, drawnFaults, seed), seed };
}

function named(names: readonly string[], pool: readonly Fault[]): readonly Fault[] {
	const unknown = names.filter((name) => !pool.some((fault) => fault.name === name || fault.room === name));
	if (unknown.length > 0) {
		throw new Error(`No fault and no room is called ${unknown.join(', ')}.`);
	}
	return pool.filter(({ name, room }) => names.includes(name) || names.includes(room));
}

function wholeNumber(name: string, text: string): number {
	const number = Number(text);
	if (!Number.isSafeInteger(number) || number < 1) {
		throw new Error(`--${name} takes a whole number, not "${text}".`);
	}
	return number;
}
