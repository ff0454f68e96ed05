import { PlainProblem } from '../harness/plainProblem.ts';
import type { Measurement, Size } from './measurement.ts';

/** What a run of the benchmark is asked for. */
export interface Wanted {
	readonly size: Size;
	readonly measurements: readonly Measurement[];
}

/** Reads `[--smallest] [name…]`: without a name it is all measurements. Throws a PlainProblem for anything else. */
export function readArguments(args: readonly string[], all: readonly Measurement[]): Wanted {
	const names = args.filter((arg) => arg !== '--smallest');
	const unknown = names.filter((name) => !all.some((measurement) => measurement.name === name));
	if (unknown.length > 0) {
		throw new PlainProblem(
			`No measurement is called ${unknown.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}.`,
		);
	}
	return {
		size: args.includes('--smallest') ? 'smallest' : 'full',
		measurements: names.length === 0 ? all : all.filter(({ name }) => names.includes(name)),
	};
}
