import * as vscode from 'vscode';
import { cancelWith } from '../ask/cancelWith.ts';
import type { Problems } from '../ask/problems.ts';
import { toolFailure } from './toolFailure.ts';
import { ToolInputError } from './toolInput.ts';

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
