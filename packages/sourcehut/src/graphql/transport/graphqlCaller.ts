import { checkedPath } from '../../answers/streamedFile.ts';
import { isObject, Misread } from '../../answers/decoding.ts';
import { forgeErrorOf, isWebPage, webPageOf } from '../../answers/failures.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import { checkNul, ForgeError } from '../../port/forgeError.ts';
import { originOf, type ContentArea } from '../../port/instance.ts';
import { factsInMemory } from '../../port/learntFacts.ts';
import type { Scope } from '../../port/scope.ts';
import { neededToken, newerToken, type TokenWish } from '../../port/tokenFor.ts';
import type { OwnerName } from '../../port/user.ts';
import { readAnswer, type GraphqlAnswer } from './answer.ts';
import { afterRestart, gatheredQuestions, type SentQuestion } from './gatheredQuestions.ts';
import { missingGrants, serviceNames, type MissingGrants } from './grants.ts';
import { missingFields } from './missingFields.ts';
import {
	fileProblem,
	isAboutResult,
	isOfDroppable,
	isWantOfGrant,
	missingField,
	problemByStatus,
	problemOfErrors,
} from './problems.ts';
import type { Operation } from './operations.ts';
import { readPart } from './partial.ts';
import { brokeOff, type Variables } from './smallerQuestions.ts';
import type { ForgeLink } from '../../answers/forgeLink.ts';

/** API client for one forge and one account. Throws `ForgeError`, or the signal's reason. */
export interface GraphqlCaller {
	readonly me: OwnerName;
	readonly ask: <Answer>(operation: Operation<Answer>, variables: Variables, signal: AbortSignal) => Promise<Answer>;
	/** Downloads a file from the API's own origin. Never pass a path from a response. */
	readonly get: (file: WantedFile, signal: AbortSignal) => Promise<Uint8Array>;
	readonly grants: MissingGrants;
}

/** A file to download. */
export interface WantedFile {
	readonly area: ContentArea;
	readonly scope: Scope;
	/** Starts with a slash. */
	readonly path: string;
	readonly limitBytes: number;
}

const limitBytes = 16 * 1024 * 1024;

/** `besides`: requests need the grants for projects, and no scope. */
export function graphqlCaller(link: ForgeLink, besides?: 'projects'): GraphqlCaller {
	const { instance, me, http, clock, workerJson, learnt = factsInMemory() } = link;
	const grants = missingGrants(serviceNames(instance), besides);
	const lacked = missingFields(learnt, clock);

	async function send(
		{ area, query, variables, token, isChange = false }: SentQuestion,
		signal: AbortSignal,
	): Promise<GraphqlAnswer> {
		const origin = originOf(instance, area);
		const answer = await http.send({
			method: 'POST',
			origin,
			path: '/query',
			authorization: `Bearer ${token}`,
			accept: 'application/json',
			body: { contentType: 'application/json', text: JSON.stringify({ query, variables }) },
			...(isChange ? {} : { isQuestion: true }),
			limitBytes,
			signal,
		});
		const problem = problemByStatus(answer, { area, origin, nowMs: clock.nowMs(), token });
		if (problem !== undefined || isWebPage(answer)) {
			throw new ForgeError(problem ?? webPageOf(origin));
		}
		return readAnswer(answer, token, { workerJson, signal });
	}

	const sendGathered = gatheredQuestions(send, lacked, clock);
	/** Identical queries in flight share one request. */
	const shared = new SharedReads<GraphqlAnswer>();

	async function sendSoon(
		{ area, document, isSlow, halved, within }: Operation<unknown>,
		variables: Variables,
		token: string,
		signal: AbortSignal,
	): Promise<GraphqlAnswer> {
		const query = lacked.textOf(area, document);
		if (document.isMutation) {
			checkNul(variables);
			try {
				return await send({ area, query, variables, token, isChange: true }, signal);
			} finally {
				shared.forget();
			}
		}
		const key = JSON.stringify([area, token, document.text, variables]);
		const start = (whileWanted: AbortSignal): Promise<GraphqlAnswer> =>
			isSlow
				? sendSlow({ area, query, variables, token }, whileWanted)
				: sendGathered({ area, document, variables, token, halved, within }, whileWanted);
		return await shared.read(key, start, signal);
	}

	async function sendSlow(question: SentQuestion, signal: AbortSignal): Promise<GraphqlAnswer> {
		try {
			return await send(question, signal);
		} catch (error) {
			if (brokeOff(error)) {
				// The caller sends a smaller query next.
				await afterRestart(clock, signal);
			}
			throw error;
		}
	}

	/** Sends a query, and again without missing fields or hidden things. */
	async function answerTo(
		operation: Operation<unknown>,
		variables: Variables,
		token: string,
		signal: AbortSignal,
	): Promise<GraphqlAnswer & { readonly isDone: boolean }> {
		const { area, document } = operation;
		const known = lacked.textOf(area, document);
		let answer = await sendSoon(operation, variables, token, signal);
		if (document.isMutation && hasRootField(answer.data)) {
			return { ...answer, isDone: true };
		}
		const isNews = lacked.learnFrom(area, document, answer.errors);
		// Another query of the same turn may have learnt the same missing fields first.
		const isTold = answer.errors.some((error) => missingField(error)) && lacked.textOf(area, document) !== known;
		if (isNews || isTold) {
			answer = await sendSoon(operation, variables, token, signal);
		}
		const bare = isOfDroppable(document, answer.errors) ? document.without : undefined;
		if (bare) {
			answer = await sendSoon({ ...operation, document: bare }, variables, token, signal);
		}
		return { ...answer, isDone: document.isMutation && hasRootField(answer.data) };
	}

	async function sendOnce<Answer>(
		wanted: Operation<Answer>,
		variables: Variables,
		token: string,
		signal: AbortSignal,
	): Promise<Answer> {
		const { area, scope, read } = wanted;
		const { droppableGrants, without } = wanted.document;
		// The token may have no grant for optional fields.
		const operation = without && grants.lacks(token, droppableGrants, area) ? { ...wanted, document: without } : wanted;
		try {
			const { data, errors, isDone } = await answerTo(operation, variables, token, signal);
			if ((isDone || errors.length === 0) && data !== null) {
				const found = read(data);
				// The token's missing grant may hide the thing, so don't report it as missing.
				const missing = found === undefined ? grants.ofToken(token, { area, scope }) : undefined;
				if (missing === undefined) {
					return found;
				}
				throw new ForgeError(missing);
			}
			if (isAboutResult(operation.document, errors)) {
				throw new Misread('', 'it holds errors about the result of a write');
			}
			const part =
				operation.document.isMutation || errors.some(isWantOfGrant) ? undefined : readPart(read, data, errors);
			if (part !== undefined) {
				return part;
			}
			const context = { area, origin: originOf(instance, area), nowMs: clock.nowMs(), token };
			throw problemOfErrors(errors, { ...context, scope, grants });
		} catch (error) {
			throw forgeErrorOf(error);
		}
	}

	async function getOnce(
		{ area, path, limitBytes: most }: WantedFile,
		token: string,
		signal: AbortSignal,
	): Promise<Uint8Array> {
		const origin = originOf(instance, area);
		try {
			const answer = await http.send({
				method: 'GET',
				origin,
				path: checkedPath(origin, path),
				authorization: `Bearer ${token}`,
				limitBytes: most,
				signal,
			});
			const problem = fileProblem(answer, { area, origin, nowMs: clock.nowMs(), token });
			if (problem !== undefined) {
				throw new ForgeError(problem);
			}
			return answer.body;
		} catch (error) {
			throw forgeErrorOf(error);
		}
	}

	async function withToken<T>(wish: TokenWish, send: (token: string) => Promise<T>, signal: AbortSignal): Promise<T> {
		const needed = neededToken(link, wish, signal);
		const token = typeof needed === 'string' ? needed : await needed;
		return await send(token).catch(async (error: unknown) => send(await newerToken(link, wish, token, error, signal)));
	}

	return {
		me,
		grants,
		get: (file, signal) => withToken(file, (token) => getOnce(file, token, signal), signal),
		ask: (operation, variables, signal) =>
			withToken(operation, (token) => sendOnce(operation, variables, token, signal), signal),
	};
}

/** A mutation with a non-null root field was executed, whatever its errors (docs/protocol.md#results-of-mutations). */
function hasRootField(data: unknown): boolean {
	return isObject(data) && Object.values(data).some((field) => field !== null);
}
