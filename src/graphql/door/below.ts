import type { GenericSchema } from 'valibot';
import { decoder, isObject, Misread, nameOf, type Decoder } from '../../answers/decoding.ts';

/**
 * Reads what stands in an answer's data below these fields, one inside of the other. `undefined` where one of them is
 * null: then it is not there, or not for us.
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
