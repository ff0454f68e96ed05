import { delay } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { gatheredReads } from '@forge-desk/base/gatheredReads.ts';
import { isObject } from '../../answers/decoding.ts';
import { isForgeError } from '../../port/forgeError.ts';
import { forEachArea, type ContentArea } from '../../port/instance.ts';
import { HttpFailure } from '../../http/httpClient.ts';
import type { GraphqlAnswer } from './answer.ts';
import type { Document } from './document.ts';
import type { MissingFields } from './missingFields.ts';
import { brokeOff, ofParts, smaller, type Halved, type Variables } from './smallerQuestions.ts';

/** A query before batching. */
export interface Question {
	readonly area: ContentArea;
	readonly document: Document;
	readonly variables: Variables;
	readonly token: string;
	readonly halved?: Halved | undefined;
	/**
	 * A document whose answer contains this one's for equal variables. If both are in a batch, only that one goes out.
	 */
	readonly within?: Document | undefined;
}

/** A request to a service. */
export interface SentQuestion {
	readonly area: ContentArea;
	readonly query: string;
	readonly variables: Variables;
	readonly token: string;
	/** A mutation: never retry it. */
	readonly isChange?: boolean;
}

export type Send = (question: SentQuestion, signal: AbortSignal) => Promise<GraphqlAnswer>;

/** Servers limit a query to 200 or 250 fields (docs/protocol.md#many-things-in-one-question). */
const mostPoints = 198;
/** Bounds the latency: a joint answer is as late as its slowest part. Does not count short queries of the database. */
export const mostTogether = 8;
const shortPoints = 8;
/** A crashed service usually restarts within this time. */
const restartMs = 2000;

type Ask = (question: Question, signal: AbortSignal) => Promise<GraphqlAnswer>;
type Told = { readonly answer: GraphqlAnswer } | { readonly error: unknown };

/**
 * Batches the queries of one turn per service into one document, because a page needs most of its parts at once. No
 * document opens a repository twice. If the document is rejected or fails as a whole, each query goes out alone. If the
 * server drops the connection, each query goes out once more after a pause, split in halves where possible
 * (docs/protocol.md#many-things-in-one-question).
 */
export function gatheredQuestions(send: Send, lacked: MissingFields, clock: Clock): Ask {
	// One queue per service, so that a hanging service doesn't delay the others.
	const ofArea = forEachArea(() => gatheredInArea(send, lacked, clock));
	return (question, signal) => ofArea[question.area](question, signal);
}

/** Waits for a crashed service to restart. */
export async function afterRestart(clock: Clock, signal: AbortSignal): Promise<void> {
	await delay(clock, restartMs, signal);
}

function gatheredInArea(send: Send, lacked: MissingFields, clock: Clock): Ask {
	const asked = new Map<string, Question>();
	let count = 0;

	async function alone({ document, ...question }: Question, signal: AbortSignal): Promise<Told> {
		const query = lacked.textOf(question.area, document);
		return send({ ...question, query }, signal).then(
			(answer) => ({ answer }),
			(error: unknown) => ({ error }),
		);
	}

	async function again(question: Question, signal: AbortSignal): Promise<Told> {
		await afterRestart(clock, signal);
		const answers: GraphqlAnswer[] = [];
		for (const part of smaller(question)) {
			const told = await alone(part, signal);
			if ('error' in told) {
				return told;
			}
			answers.push(told.answer);
		}
		return { answer: ofParts(answers) };
	}

	/** Results of `sent`, then of `held`. `undefined` for a held query that must go out itself. */
	async function together(
		{ sent, held }: Group<Question>,
		signal: AbortSignal,
	): Promise<readonly (Told | undefined)[]> {
		const [first] = sent;
		const questions = [...sent, ...held];
		const joint = first && questions.length > 1 ? joined(sent, lacked) : undefined;
		if (!first || !joint) {
			return Promise.all(
				questions.map(async (question) => {
					const told = await alone(question, signal);
					return 'error' in told && brokeOff(told.error) ? again(question, signal) : told;
				}),
			);
		}
		try {
			const answer = await send({ area: first.area, token: first.token, ...joint }, signal);
			const parts = partsOf(answer, sent.length);
			if (parts) {
				const ofHeld = held.map((question) => parts[sent.findIndex((each) => holds(each, question))]);
				return [
					...parts.map((part) => ({ answer: part })),
					...ofHeld.map((part) => (part?.errors.length === 0 ? { answer: part } : undefined)),
				];
			}
		} catch (error) {
			if (brokeOff(error)) {
				return Promise.all(questions.map((question) => again(question, signal)));
			}
			if (!mayBeOfOne(error)) {
				return questions.map(() => ({ error }));
			}
		}
		return Promise.all(questions.map((question) => alone(question, signal)));
	}

	const gathered = gatheredReads<Told>({
		async read(keys, signal) {
			const groups = groupsOf(
				keys.flatMap((key) => {
					const question = asked.get(key);
					return question ? [{ key, question }] : [];
				}),
			);
			const told = await Promise.all(
				groups.map(async ({ sent, held }) => {
					const answers = await together({ sent: sent.map(questionOf), held: held.map(questionOf) }, signal);
					return [...sent, ...held].map(({ key }, at): readonly [string, Told | undefined] => [key, answers[at]]);
				}),
			);
			return new Map(told.flat().flatMap(([key, each]) => (each ? [[key, each] as const] : [])));
		},
		mostAtOnce: Number.POSITIVE_INFINITY,
		mostUnderWay: Number.POSITIVE_INFINITY,
	});

	return async function ask(question, signal) {
		count += 1;
		const key = String(count);
		asked.set(key, question);
		try {
			const told = await gathered(key, signal);
			if (told === undefined && question.within !== undefined) {
				return await ask({ ...question, within: undefined }, signal);
			}
			if (told && 'answer' in told) {
				return told.answer;
			}
			throw told?.error;
		} finally {
			asked.delete(key);
		}
	};
}

interface Keyed {
	readonly key: string;
	readonly question: Question;
}

function questionOf({ question }: Keyed): Question {
	return question;
}

/** A batch. `sent` goes out; its answers contain the answers of `held`. */
interface Group<T> {
	readonly sent: readonly T[];
	readonly held: readonly T[];
}

/** Batches by service and token, within the servers' field limit. */
function groupsOf(all: readonly Keyed[]): readonly Group<Keyed>[] {
	const groups: { readonly sent: Keyed[]; readonly held: Keyed[] }[] = [];
	const isHeld = ({ question }: Keyed): boolean => all.some((each) => holds(each.question, question));
	for (const each of all.filter((one) => !isHeld(one))) {
		const { area, token, document } = each.question;
		const group = groups.find(
			({ sent }) =>
				(isShort(document) || sent.filter(({ question }) => !isShort(question.document)).length < mostTogether) &&
				!sent.some((other) => openBoth(other.question, each.question)) &&
				sent[0]?.question.area === area &&
				sent[0].question.token === token &&
				sent.reduce((sum, { question }) => sum + question.document.points, document.points) <= mostPoints,
		);
		if (group) {
			group.sent.push(each);
		} else {
			groups.push({ sent: [each], held: [] });
		}
	}
	for (const each of all.filter(isHeld)) {
		groups.find(({ sent }) => sent.some(({ question }) => holds(question, each.question)))?.held.push(each);
	}
	return groups;
}

/**
 * True for two queries that open the same repository. Never joins `HEAD` with another query that opens any repository:
 * `HEAD` has crashed the service.
 */
function openBoth(one: Question, other: Question): boolean {
	const [first] = one.document.opens;
	const [second] = other.document.opens;
	if (first === undefined || second === undefined) {
		return false;
	}
	const isSame = ['owner', 'name'].every((part) => repositoryPart(one, part) === repositoryPart(other, part));
	return isSame || first === 'HEAD' || second === 'HEAD';
}

function repositoryPart({ variables }: Question, part: string): string {
	return String(variables[part]).toLowerCase();
}

/**
 * True if the first query's answer contains the other's. A query with `within` holds none, or a cycle could leave both
 * unsent.
 */
function holds({ area, token, document, variables, within }: Question, other: Question): boolean {
	return (
		within === undefined &&
		document === other.within &&
		area === other.area &&
		token === other.token &&
		Object.entries(other.variables).every(([name, value]) => variables[name] === value)
	);
}

function isShort({ points, opens }: Document): boolean {
	return points <= shortPoints && opens.length === 0;
}

const prefixOf = (at: number): string => `q${at}_`;

/** `undefined` if the server lacks all fields of one query. */
function joined(
	questions: readonly Question[],
	lacked: MissingFields,
): Pick<SentQuestion, 'query' | 'variables'> | undefined {
	const parts = questions.map(({ area, document }, at) => lacked.besideOthers(area, document, prefixOf(at)));
	const found = parts.filter((part) => part !== undefined);
	if (found.length < parts.length) {
		return undefined;
	}
	const declarations = found.map((part) => part.declarations).filter((text) => text !== '');
	const names = [...new Set(questions.map(({ document }) => document.name))].join('_');
	const head = declarations.length === 0 ? '' : `(${declarations.join(' ')})`;
	return {
		query: `query ${names}${head}{${found.map(({ selection }) => selection).join(' ')}}`,
		variables: Object.fromEntries(
			questions.flatMap(({ variables }, at) =>
				Object.entries(variables).map(([name, value]) => [`${prefixOf(at)}${name}`, value]),
			),
		),
	};
}

/** Splits a joint answer. `undefined` if an error has no query's path, because any query may have caused it. */
function partsOf({ data, errors }: GraphqlAnswer, count: number): readonly GraphqlAnswer[] | undefined {
	if (!isObject(data) || errors.some(({ path }) => !/^q\d+_/.test(String(path?.[0])))) {
		return undefined;
	}
	return Array.from({ length: count }, (_, at) => {
		const prefix = prefixOf(at);
		const mine = Object.entries(data).filter(([name]) => name.startsWith(prefix));
		return {
			data: Object.fromEntries(mine.map(([name, value]) => [name.slice(prefix.length), value])),
			errors: errors.flatMap((error) => {
				const [first, ...inside] = error.path ?? [];
				const root = String(first);
				return root.startsWith(prefix) ? [{ ...error, path: [root.slice(prefix.length), ...inside] }] : [];
			}),
		};
	});
}

/** False for failures that don't depend on a single query, such as a server that is down. */
function mayBeOfOne(error: unknown): boolean {
	if (error instanceof HttpFailure) {
		return error.failure.kind === 'tooLarge';
	}
	const problem = isForgeError(error) ? error.problem : undefined;
	if (problem?.kind === 'serverError') {
		// 503 means that the service is down for all queries; the HTTP client has already retried.
		return problem.status !== 503;
	}
	return problem?.kind === 'notUnderstood' || problem?.kind === 'invalid';
}
