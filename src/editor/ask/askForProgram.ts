import { isAbort } from '../../base/abort.ts';
import { askFor } from './ask.ts';

/** A question is cut off behind this. */
const longestQuestion = 300;

/**
 * Asks what a program wants to know, in a box of the editor: a name as text, all else as a password. `undefined` where the
 * box is closed.
 */
export async function askForProgram(title: string, question: string): Promise<string | undefined> {
	try {
		return await askFor({
			title,
			prompt: question.trim().slice(0, longestQuestion),
			password: !/^user/i.test(question),
		});
	} catch (error) {
		if (isAbort(error)) {
			return undefined;
		}
		throw error;
	}
}
