import type { PatchMail } from '../../src/engine/series/seriesReading.ts';
import { patchMailOf } from '../../src/engine/series/patchMail.ts';
import { makeReading } from './makeSeries.ts';

/** A patch mail whose body is `body`. */
export function makePatchMail(body: string): PatchMail {
	const patch = patchMailOf(makeReading({ body, text: body }), '[PATCH] Title');
	if (!patch) {
		throw new Error('This is no patch');
	}
	return patch;
}
