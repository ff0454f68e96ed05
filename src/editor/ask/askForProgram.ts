import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { askFor } from './ask.ts';

/** A question is cut off behind this. */
const longestQuestion = 300;

/**
 * Forwards a program's question to the user: plain input for names, masked input otherwise. `undefined` if the user
 * closes the box. The signal closes it.
 */
export async function askForProgram(title: string, question: string, signal: AbortSignal): Promise<string | undefined> {
	const closing = new vscode.CancellationTokenSource();
	const close = (): void => closing.cancel();
	signal.addEventListener('abort', close, { once: true });
	if (signal.aborted) {
		close();
	}
	const prompt = question.trim().slice(0, longestQuestion);
	try {
		return await askFor({ title, prompt, password: !/^user/i.test(question) }, closing.token);
	} catch (error) {
		if (isAbort(error)) {
			return undefined;
		}
		throw error;
	} finally {
		signal.removeEventListener('abort', close);
		closing.dispose();
	}
}
