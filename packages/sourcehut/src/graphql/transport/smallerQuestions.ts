import { isObject } from '../../answers/decoding.ts';
import { isForgeError } from '../../port/forgeError.ts';
import { HttpFailure } from '../../http/httpClient.ts';
import type { GraphqlAnswer } from './answer.ts';
import type { Document } from './document.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** Splits variables into smaller sets. Their joined answers equal the original answer. */
export type Halved = (variables: Variables) => readonly Variables[];

interface Asked {
	readonly document: Document;
	readonly variables: Variables;
	readonly halved?: Halved | undefined;
}

/** True if the server or its proxy gave up on a query, for example after a timeout. A smaller query may succeed. */
export function brokeOff(error: unknown): boolean {
	if (error instanceof HttpFailure) {
		const { failure } = error;
		return failure.kind === 'truncated' || (failure.kind === 'unreachable' && failure.reason === 'reset');
	}
	if (!isForgeError(error)) {
		return false;
	}
	const { problem } = error;
	return problem.kind === 'serverError'
		? problem.status === 502 || problem.status === 504
		: problem.kind === 'unreachable' && problem.reason === 'reset';
}

/** Replacements for a query that was too large: its halves, or the query itself if it has none. */
export function smaller<Q extends Asked>(question: Q): readonly Q[] {
	const { document, variables, halved } = question;
	if (halved) {
		return halved(variables).map((part) => ({ ...question, variables: part }));
	}
	return (document.halves ?? [document]).map((half) => ({ ...question, document: half }));
}

/** Merges the answers of a split query. */
export function ofParts(answers: readonly GraphqlAnswer[]): GraphqlAnswer {
	return {
		data: answers.map(({ data }) => data).reduce(both),
		errors: answers.flatMap(({ errors }, at) =>
			at === 0
				? errors
				: // Without indexes, because they differ in the merged lists.
					errors.map((error) => ({ ...error, path: error.path?.filter((part) => typeof part === 'string') })),
		),
	};
}

/** Concatenates lists and merges objects. Any other values are equal on both sides. */
function both(first: unknown, second: unknown): unknown {
	if (isList(first) && isList(second)) {
		return [...first, ...second];
	}
	if (!isObject(first) || !isObject(second)) {
		return first;
	}
	const added = Object.entries(second).map(([name, value]) => [
		name,
		Object.hasOwn(first, name) ? both(first[name], value) : value,
	]);
	return { ...first, ...Object.fromEntries(added) };
}

function isList(value: unknown): value is readonly unknown[] {
	return Array.isArray(value);
}

/** Splits a list variable in two; a list of one item stays whole. */
export function halvedBy(name: string): Halved {
	return (variables) => {
		const all = variables[name];
		if (!isList(all)) {
			return [variables];
		}
		const middle = Math.ceil(all.length / 2);
		const parts = [all.slice(0, middle), all.slice(middle)].filter((half) => half.length > 0);
		return parts.map((half) => ({ ...variables, [name]: half }));
	};
}
