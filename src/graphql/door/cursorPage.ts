import * as v from 'valibot';
import type { RawPage } from '../../answers/pagingWay.ts';
import { partly, unsentKey } from './partial.ts';

/** A page of a list, as every list of these servers comes: 25 things and a cursor, none at the end. */
export function cursorPage<T>(item: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, RawPage<T>> {
	return v.pipe(
		v.object({ cursor: v.nullish(v.string()), results: v.array(item), ...partly }),
		v.transform(({ cursor, results, [unsentKey]: unsent }): RawPage<T> => ({
			items: results,
			next: cursor ?? undefined,
			total: undefined,
			isEnvelope: true,
			...(unsent.length > 0 ? { isPart: true } : {}),
		})),
	);
}
