import * as v from 'valibot';

/** What runs at an address (docs/protocol.md#versions). */
export const version = v.pipe(
	v.object({ version: v.string() }),
	v.transform((wire) => wire.version),
);
