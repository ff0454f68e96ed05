import * as v from 'valibot';

/** The host's translations. */
export interface L10n {
	t(message: string, ...values: readonly (string | number)[]): string;
}

/* Validators shared by several pages. A page is an untrusted client, so the host accepts only these values. */

/** For requests without data. */
export const nothing: v.GenericSchema<unknown, undefined> = v.pipe(
	v.nullish(v.null()),
	v.transform(() => undefined),
);

/** An index or count. */
export const wholeNumber: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Number of a mail or patchset. */
export const itemId: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** Account or address of a person. */
export const personName: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.minLength(1), v.maxLength(600));

/** Address of a clicked link; the link policy decides about it. */
export const clickedHref: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.maxLength(4096));
