import { LRUCache } from 'lru-cache';
import * as vscode from 'vscode';
import { withCancellation } from '../ask/withCancellation.ts';
import type { Problems } from '../ask/problems.ts';
import { ToolInputError } from './toolInput.ts';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { isSameValue } from '../../base/isSameValue.ts';
import { isForgeError, type ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Connections } from '../../store/connection.ts';
import type { Drafts } from '../../store/drafts/drafts.ts';
import { untrustedFrame } from '../../engine/text/untrustedFrame.ts';

/** Dependencies of the tools. */
export interface ToolContext {
	readonly connections: Connections;
	readonly clock: Clock;
	readonly problems: Problems;
	readonly drafts: Drafts;
	/** Returns a unique name. */
	readonly newName: () => string;
}

/** A tool in the table of its area. */
type OpenTool = (context: ToolContext) => vscode.LanguageModelTool<unknown>;

/** A read-only tool, without confirmation. `message`: text during the run. */
export function readingTool(
	message: () => string,
	read: (connections: Connections, input: unknown, signal: AbortSignal, clock: Clock) => string | Promise<string>,
): OpenTool {
	return ({ connections, clock, problems }) => ({
		prepareInvocation: () => ({ invocationMessage: message() }),
		invoke: ({ input }, token) =>
			toolAnswer(problems, token, async (signal) => read(connections, input, signal, clock)),
	});
}

/** More questions than these are not open at once. */
const mostConfirmed = 50;

/**
 * A tool that shows the user what it is going to write, and writes it after their consent. `asked`: parses the request,
 * and throws if the tool can't run it, because no write happens without a confirmation. `question`: the confirmation
 * with the exact text.
 */
export function writingTool<Asked extends object>(
	asked: (connections: Connections, input: unknown, signal: AbortSignal) => Asked | Promise<Asked>,
	question: (connections: Connections, asked: Asked) => vscode.PreparedToolInvocation,
	carryOut: (context: ToolContext, asked: Asked, signal: AbortSignal) => Promise<string>,
): OpenTool {
	return (context) => {
		const { connections, problems } = context;
		/** Shown, unexecuted writes by input: the account or the target may change while the user reads. */
		const shown = new LRUCache<string, readonly Asked[]>({ max: mostConfirmed });
		return {
			prepareInvocation: ({ input }, token) =>
				workForModel(problems, token, async (signal) => {
					const meant = await asked(connections, input, signal);
					const key = JSON.stringify(input);
					shown.set(key, [...(shown.get(key) ?? []), meant].slice(-mostConfirmed));
					return question(connections, meant);
				}),
			invoke: ({ input }, token) =>
				toolAnswer(problems, token, async (signal) => {
					const key = JSON.stringify(input);
					const known = shown.get(key) ?? [];
					const meant = known.at(-1);
					// The editor hides which confirmation the user accepted, so reject an input with different ones.
					if (meant === undefined || !known.every((each) => isSameValue(each, meant))) {
						shown.delete(key);
						throw new ToolInputError(
							'Nothing was written: the question that was shown for this is gone. Call the tool again, so that it is shown once more.',
						);
					}
					shown.set(key, known.slice(0, -1));
					return carryOut(context, meant, signal);
				}),
		};
	};
}

async function toolAnswer(
	problems: Problems,
	token: vscode.CancellationToken,
	work: (signal: AbortSignal) => Promise<string>,
): Promise<vscode.LanguageModelToolResult> {
	const text = await workForModel(problems, token, work);
	return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

/** The result, or an error with a text for the model. */
async function workForModel<T>(
	problems: Problems,
	token: vscode.CancellationToken,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	try {
		const done = await withCancellation(token, work);
		if (done === undefined) {
			throw new vscode.CancellationError();
		}
		return done;
	} catch (error) {
		if (error instanceof ToolInputError || error instanceof vscode.CancellationError) {
			throw error;
		}
		problems.log(error);
		const { message } = problems.explain(error);
		const text =
			isForgeError(error) && holdsRemoteText(error)
				? `The forge did not do what was asked. What it said:\n${untrustedFrame(message, largestFailureBytes)}`
				: message;
		throw new Error(text, { cause: error });
	}
}

/** Limit for failure texts; the decoder already truncates reasons. */
const largestFailureBytes = 4096;

/** True if the message quotes the server or a name. */
function holdsRemoteText({ problem, about }: ForgeError): boolean {
	switch (problem.kind) {
		case 'invalid':
			return problem.errors.some(({ own }) => own === undefined);
		case 'missingScope':
			return problem.scope === undefined;
		case 'notAllowed':
			return problem.reason !== undefined;
		case 'notFound':
			return about !== undefined;
		case 'notUnderstood':
		case 'redirected':
			return true;
		case 'notSignedIn':
		case 'tokenRejected':
		case 'sessionUnreadable':
		case 'notOffered':
		case 'rateLimited':
		case 'browserCheck':
		case 'serverError':
		case 'unreachable':
		case 'tooLarge':
		case 'incomplete':
			return false;
		default:
			return assertNever(problem);
	}
}
