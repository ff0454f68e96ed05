import type { GenericSchema } from 'valibot';
import { decoder, isObject, Misread, nameOf, type Decoder } from '../../answers/decoding.ts';

/**
 * Decodes the value at a path of fields. `undefined` if a field on the path is null: the thing doesn't exist or the
 * account can't see it.
 */
export function below<T>(path: readonly string[], schema: GenericSchema<unknown, T>): Decoder<T | undefined> {
	const decode = decoder(schema);
	return (data) => {
		let at = data;
		let spot = '';
		for (const name of path) {
			if (at === null) {
				return undefined;
			}
			const next = isObject(at) ? at[name] : undefined;
			spot += `.${name}`;
			if (next === undefined) {
				throw new Misread(spot, `expected ${name}, found ${nameOf(next)}`);
			}
			at = next;
		}
		if (at === null) {
			return undefined;
		}
		try {
			return decode(at);
		} catch (error) {
			throw error instanceof Misread ? error.below(spot) : error;
		}
	};
}
