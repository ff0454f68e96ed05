import * as v from 'valibot';

/*
 * Values that the pages of several kinds hand over. A page is an untrusted client: nothing of them is taken for more than
 * what these let through.
 */

/** Requests that carry nothing. */
export const nothing: v.GenericSchema<unknown, undefined> = v.pipe(
	v.nullish(v.null()),
	v.transform(() => undefined),
);

/** A place in a row, or a number of something that may be 0. */
export const wholeNumber: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Names a mail or a patchset by its number. */
export const itemId: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** Somebody's account or address. */
export const personName: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.minLength(1), v.maxLength(600));

/** An address that was clicked; what it may be is decided by the link policy. */
export const clickedHref: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(4096));
