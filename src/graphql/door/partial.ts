import * as v from 'valibot';
import { isObject, Misread, type Decoder } from '../../answers/decoding.ts';
import type { WithExtra } from '../../forge/extra.ts';
import type { GraphqlError } from './answer.ts';

/** Field of a thing that names its fields that came as null beside an error. No GraphQL name begins with two underscores. */
export const unsentKey = '__unsent';

/** An entry for schemas of things that are of use without some of their fields. */
export const partly = { [unsentKey]: v.optional(v.array(v.string()), []) };

/** The mark of such a thing. */
export function unsentIn({ [unsentKey]: names }: { readonly [unsentKey]: readonly string[] }): WithExtra {
	return names.length === 0 ? {} : { extra: names.map((name) => ({ name, json: undefined })) };
}

/**
 * Reads data in which some fields are null because they failed (docs/protocol.md#partly-null-answers). Such a field is left
 * out, and the thing around it names it. `undefined` where the answer is of no use without it: an error names no null, the
 * schema needs the field, or the schema of the thing has no entry for the mark.
 */
export function readPart<Answer>(
	read: Decoder<Answer>,
	data: unknown,
	errors: readonly GraphqlError[],
): Answer | undefined {
	const part = markedData(data, errors);
	if (part === undefined) {
		return undefined;
	}
	try {
		const found = read(part.data);
		return part.areMarksRead() ? found : undefined;
	} catch (error) {
		if (error instanceof Misread) {
			return undefined;
		}
		throw error;
	}
}

type Fields = Record<string | number, unknown>;

interface MarkedData {
	readonly data: unknown;
	/** Whether a schema has taken each mark. */
	readonly areMarksRead: () => boolean;
}

/** One step of an error's path, down to the null. */
interface Step {
	readonly inside: Fields;
	readonly name: string | number;
	/** `inside` can carry a mark: it has an id, is a page or on one, or is all that was asked for. */
	readonly isThing: boolean;
}

function markedData(data: unknown, errors: readonly GraphqlError[]): MarkedData | undefined {
	const copy: unknown = structuredClone(data);
	const top = topOf(copy);
	const nulls = errors.map(({ path }) => (path ? stepsToNull(copy, path, top) : []));
	const unsent = new Map<Fields, Set<string>>();
	for (const steps of nulls) {
		const from = steps.findLastIndex(({ isThing }) => isThing);
		const thing = steps[from]?.inside;
		if (thing === undefined) {
			return undefined;
		}
		const names = steps.slice(from).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
		unsent.set(thing, (unsent.get(thing) ?? new Set<string>()).add(names.join('.')));
	}
	for (const { inside, name } of nulls.flatMap((steps) => steps.slice(-1))) {
		delete inside[name];
	}
	const unread = new Set(unsent.keys());
	unsent.forEach((names, thing) =>
		Object.defineProperty(thing, unsentKey, {
			enumerable: true,
			get() {
				unread.delete(thing);
				return [...names];
			},
		}),
	);
	return { data: copy, areMarksRead: () => unread.size === 0 };
}

/** None where the path does not lead to a null. */
function stepsToNull(data: unknown, path: readonly (string | number)[], top: unknown): readonly Step[] {
	const steps: Step[] = [];
	let at = data;
	for (const name of path) {
		if (!isFields(at)) {
			break;
		}
		const [before, last] = steps.slice(-2);
		const isListed = before?.name === 'results' && Array.isArray(last?.inside);
		const isThing = !Array.isArray(at) && (at === top || isListed || 'id' in at || 'results' in at);
		steps.push({ inside: at, name, isThing });
		at = at[name];
	}
	return at === null ? steps : [];
}

/** Below all that stands alone in what is around it. */
function topOf(data: unknown): unknown {
	const [inside, another] = isFields(data) && !Array.isArray(data) ? Object.values(data) : [];
	return another === undefined && isFields(inside) && !Array.isArray(inside) ? topOf(inside) : data;
}

function isFields(value: unknown): value is Fields {
	return isObject(value);
}
