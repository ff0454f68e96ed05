import * as v from 'valibot';

/** Software version of a server (docs/protocol.md#versions). */
export const version = v.pipe(
	v.object({ version: v.string() }),
	v.transform((wire) => wire.version),
);
