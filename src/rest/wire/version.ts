import * as v from 'valibot';

/** What runs at an address: observed-behaviour 1.5. */
export const version = v.pipe(
	v.object({ version: v.string() }),
	v.transform((wire) => wire.version),
);
