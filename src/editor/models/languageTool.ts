import * as vscode from 'vscode';
import { withCancellation } from '../ask/withCancellation.ts';
import type { Problems } from '../ask/problems.ts';
import { ToolInputError } from './toolInput.ts';
import { assertNever } from '@forge-desk/base/assertNever.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { isForgeError, type ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Connections } from '../../store/connection.ts';
import { untrustedFrame } from '../../engine/text/untrustedFrame.ts';

/** Dependencies of the tools. */
export interface ToolContext {
	readonly connections: Connections;
	readonly clock: Clock;
	readonly problems: Problems;
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

/** The answer, or an error with a text for the model. */
async function toolAnswer(
	problems: Problems,
	token: vscode.CancellationToken,
	work: (signal: AbortSignal) => Promise<string>,
): Promise<vscode.LanguageModelToolResult> {
	try {
		const text = await withCancellation(token, work);
		if (text === undefined) {
			throw new vscode.CancellationError();
		}
		return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
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
