import type { PatchMail } from 'patchmail/series/seriesReading.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import { makeReading } from './makeSeries.ts';

/** A patch mail whose body is `body`. */
export function makePatchMail(body: string): PatchMail {
	const patch = patchMailOf(makeReading({ body, text: body }), '[PATCH] Title');
	if (!patch) {
		throw new Error('This is no patch');
	}
	return patch;
}
