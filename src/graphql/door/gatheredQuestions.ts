import { delay } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { gatheredReads } from '../../base/gatheredReads.ts';
import { isObject } from '../../answers/decoding.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { forEachArea, type ContentArea } from '../../forge/instance.ts';
import { HttpFailure } from '../../http/httpClient.ts';
import type { GraphqlAnswer } from './answer.ts';
import type { Document } from './document.ts';
import type { LackedFields } from './lackedFields.ts';
import { brokeOff, ofParts, smaller, type Halved, type Variables } from './smallerQuestions.ts';

/** One question, before it is known whether it goes alone. */
export interface Question {
	readonly area: ContentArea;
	readonly document: Document;
	readonly variables: Variables;
	readonly token: string;
	readonly halved?: Halved | undefined;
	/** A document whose answer to the same variables holds all of this one's, so that it alone is sent for both. */
	readonly within?: Document | undefined;
}

/** What is sent. */
export interface SentQuestion {
	readonly area: ContentArea;
	readonly query: string;
	readonly variables: Variables;
	readonly token: string;
	/** It changes something, and must not be sent twice. */
	readonly isChange?: boolean;
}

export type Send = (question: SentQuestion, signal: AbortSignal) => Promise<GraphqlAnswer>;

/** Servers count to 200 or 250 (docs/protocol.md#many-things-in-one-question). */
const mostPoints = 198;
/** An answer is as late as its slowest part. */
const mostTogether = 8;
/** A crashed service is up again after this time, mostly. */
const restartMs = 2000;

type Ask = (question: Question, signal: AbortSignal) => Promise<GraphqlAnswer>;
type Lacked = Pick<LackedFields, 'textOf' | 'besideOthers'>;
type Told = { readonly answer: GraphqlAnswer } | { readonly error: unknown };

/**
 * Joins the questions of one turn to one service into one document, because a page asks for most of its parts at once. No
 * document opens a repository twice. If the document is refused or fails as a whole, each question goes again by itself. If
 * the server broke off, each goes once more after a pause, in halves where it has any
 * (docs/protocol.md#many-things-in-one-question).
 */
export function gatheredQuestions(send: Send, lacked: Lacked, clock: Clock): Ask {
	// One queue per service: a service that hangs must not delay the others.
	const ofArea = forEachArea(() => gatheredInArea(send, lacked, clock));
	return (question, signal) => ofArea[question.area](question, signal);
}

/** Waits until a service that broke off may be up again. */
export async function afterRestart(clock: Clock, signal: AbortSignal): Promise<void> {
	await delay(clock, restartMs, signal);
}

function gatheredInArea(send: Send, lacked: Lacked, clock: Clock): Ask {
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

	/** A question that nothing was asked together with. */
	async function single(question: Question, signal: AbortSignal): Promise<Told> {
		const told = await alone(question, signal);
		return 'error' in told && brokeOff(told.error) ? again(question, signal) : told;
	}

	/** What those that are sent are told, and then those that they hold; `undefined` where one of these has to be sent. */
	async function together(
		{ sent, held }: Group<Question>,
		signal: AbortSignal,
	): Promise<readonly (Told | undefined)[]> {
		const [first] = sent;
		const questions = [...sent, ...held];
		const joint = first && questions.length > 1 ? joined(sent, lacked) : undefined;
		if (!first || !joint) {
			return Promise.all(questions.map((question) => single(question, signal)));
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
			const groups = groupsOf(keys.flatMap((key) => keyed(key, asked.get(key))));
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

function keyed(key: string, question: Question | undefined): readonly Keyed[] {
	return question ? [{ key, question }] : [];
}

function questionOf({ question }: Keyed): Question {
	return question;
}

/** What goes together, and what need not go because that holds it. */
interface Group<T> {
	readonly sent: readonly T[];
	readonly held: readonly T[];
}

/** What can go together: of one service, with one token, and no more than a server counts to. */
function groupsOf(all: readonly Keyed[]): readonly Group<Keyed>[] {
	const groups: { readonly sent: Keyed[]; readonly held: Keyed[] }[] = [];
	const isHeld = ({ question }: Keyed): boolean => all.some((each) => holds(each.question, question));
	for (const each of all.filter((one) => !isHeld(one))) {
		const { area, token, document } = each.question;
		const group = groups.find(
			({ sent }) =>
				sent.length < mostTogether &&
				!sent.some((other) => openBoth(other.question, each.question)) &&
				sent[0]?.question.area === area &&
				sent[0].question.token === token &&
				pointsOf(sent) + document.points <= mostPoints,
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
 * True for two questions that open one repository. `HEAD` is never joined with a question that opens any repository: it is
 * the field that was seen to crash the service.
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

/** Whether an answer to one question is one to another as well. What is held itself holds nothing, or nothing might be sent. */
function holds({ area, token, document, variables, within }: Question, other: Question): boolean {
	return (
		within === undefined &&
		document === other.within &&
		area === other.area &&
		token === other.token &&
		Object.entries(other.variables).every(([name, value]) => variables[name] === value)
	);
}

function pointsOf(group: readonly Keyed[]): number {
	return group.reduce((sum, { question }) => sum + question.document.points, 0);
}

const prefixOf = (at: number): string => `q${at}_`;

/** `undefined` where a server lacks all that one of them asks for. */
function joined(
	questions: readonly Question[],
	lacked: Pick<Lacked, 'besideOthers'>,
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

/** What each of them was told; `undefined` where it was told of all that one of them may have caused. */
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

/** Of a failure that the whole of it may have caused nobody knows what each would be told. */
function mayBeOfOne(error: unknown): boolean {
	if (error instanceof HttpFailure) {
		return error.failure.kind === 'tooLarge';
	}
	const problem = isForgeError(error) ? error.problem : undefined;
	if (problem?.kind === 'serverError') {
		// A server that is down is so for each of them, and has been asked again by now.
		return problem.status !== 503;
	}
	return problem?.kind === 'notUnderstood' || problem?.kind === 'invalid';
}
