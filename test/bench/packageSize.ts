import { statSync } from 'node:fs';
import { vsixFile } from '../harness/places.ts';
import { verdictOf } from './figures.ts';
import type { Figure } from './measurement.ts';

const goalBytes = 300 * 1024;

/** What the shipped package weighs. */
export async function packageSize(): Promise<readonly Figure[]> {
	const { size } = statSync(vsixFile);
	return [
		{
			name: 'VSIX, sample forge and world counted in',
			goal: `≤ ${goalBytes / 1024} KiB`,
			measured: size,
			shown: `${(size / 1024).toFixed(1)} KiB`,
			verdict: verdictOf(size <= goalBytes),
			detail: `${size} bytes`,
		},
	];
}
