import * as vscode from 'vscode';
import { cancelWith } from '../ask/cancelWith.ts';
import type { Problems } from '../ask/problems.ts';
import { ToolInputError } from './toolInput.ts';
import { assertNever } from '../../base/assertNever.ts';
import { isForgeError, type Problem } from '../../forge/forgeError.ts';
import { untrustedFrame } from '../../text/untrustedFrame.ts';

type Work = (input: unknown, signal: AbortSignal) => Promise<string>;

/** A tool that only reads, and so asks nobody. `message` says what it does while it does it. */
export function readingTool(problems: Problems, work: Work, message: () => string): vscode.LanguageModelTool<unknown> {
	return {
		prepareInvocation: () => ({ invocationMessage: message() }),
		invoke: ({ input }, token) => toolAnswer(problems, token, (signal) => work(input, signal)),
	};
}

/** An answer for the model, or an error whose words are for it. */
export async function toolAnswer(
	problems: Problems,
	token: vscode.CancellationToken,
	work: (signal: AbortSignal) => Promise<string>,
): Promise<vscode.LanguageModelToolResult> {
	try {
		const text = await cancelWith(token, work);
		if (text === undefined) {
			throw new vscode.CancellationError();
		}
		return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
	} catch (error) {
		if (error instanceof ToolInputError || error instanceof vscode.CancellationError) {
			throw error;
		}
		problems.log(error);
		throw new Error(toolFailure(error, problems), { cause: error });
	}
}

/** Reasons are cut where they come in, and there are few of them. */
const largestFailureBytes = 4096;

/** A failure in words for a language model. Where the server wrote some of them, all stand in the frame for such. */
function toolFailure(error: unknown, problems: Pick<Problems, 'explain'>): string {
	const { message } = problems.explain(error);
	return isForgeError(error) && holdsRemoteText(error.problem)
		? `The forge did not do what was asked. What it said:\n${untrustedFrame(message, largestFailureBytes)}`
		: message;
}

/** True where the words for people quote what the server wrote. */
function holdsRemoteText(problem: Problem): boolean {
	switch (problem.kind) {
		case 'invalid':
			return problem.errors.some(({ own }) => own === undefined);
		case 'missingScope':
			return problem.scope === undefined;
		case 'notAllowed':
			return problem.reason !== undefined;
		case 'notUnderstood':
		case 'redirected':
			return true;
		case 'notSignedIn':
		case 'tokenRejected':
		case 'sessionUnreadable':
		case 'notFound':
		case 'notOffered':
		case 'rateLimited':
		case 'serverError':
		case 'unreachable':
		case 'tooLarge':
			return false;
		default:
			return assertNever(problem);
	}
}
