import { isObject } from '../../answers/decoding.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { HttpFailure } from '../../http/httpClient.ts';
import type { GraphqlAnswer, GraphqlError } from './answer.ts';
import type { Document } from './document.ts';

/** Values of a document's variables. */
export type Variables = Readonly<Record<string, unknown>>;

/** The same question in smaller ones, by their variables, whose answers together are its own. */
export type Halved = (variables: Variables) => readonly Variables[];

interface Asked {
	readonly document: Document;
	readonly variables: Variables;
	readonly halved?: Halved | undefined;
}

/**
 * Whether a server gave up in the middle of its work, as one does over whose time a question takes: the connection breaks, or
 * what stands before the server says that it did. A smaller question may be answered then.
 */
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

/** What is asked in place of a question that was too much: its halves, or itself where it has none. */
export function smaller<Q extends Asked>(question: Q): readonly Q[] {
	const { document, variables, halved } = question;
	if (halved) {
		return halved(variables).map((part) => ({ ...question, variables: part }));
	}
	return (document.halves ?? [document]).map((half) => ({ ...question, document: half }));
}

/** One answer out of those to the parts of a question. */
export function ofParts(answers: readonly GraphqlAnswer[]): GraphqlAnswer {
	return {
		data: answers.map(({ data }) => data).reduce(both),
		errors: answers.flatMap(({ errors }, at) => (at === 0 ? errors : errors.map(withoutNumbers))),
	};
}

/** Entries have other numbers in the joined lists. */
function withoutNumbers(error: GraphqlError): GraphqlError {
	return { ...error, path: error.path?.filter((part) => typeof part === 'string') };
}

/** Lists one behind the other, objects with the fields of both; of everything else both say the same. */
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

/** Halves the question by a list among its variables; one with a single thing in it has none. */
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
