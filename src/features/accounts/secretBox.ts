import * as vscode from 'vscode';
import { isAbort } from '../../base/abort.ts';
import { cancelled } from '../../editor/ask/ask.ts';
import { openExactly } from '../../editor/links/openExactly.ts';
import { plainUnderBox } from '../../editor/ask/notify.ts';

/** A box for one secret. */
export interface SecretQuestion<T> {
	readonly title: string;
	readonly prompt: string;
	readonly placeHolder: string;
	/** A help page. Its link follows the prompt; a button does the same where another text replaces the prompt. */
	readonly page: HelpPage | undefined;
	/** Describes an untested input; replaces the prompt. */
	readonly tell?: (text: string) => string | undefined;
	/** Tests the input. A complaint appears in the box, which stays open. */
	readonly take: (text: string, signal: AbortSignal) => Promise<{ readonly complaint: string } | { readonly value: T }>;
}

interface HelpPage {
	readonly label: string;
	/** Text after the link. */
	readonly remark: string;
	readonly address: string;
	/** The box opens the page. */
	readonly opensAtOnce: boolean;
}

/** Asks for a secret, masked, until `take` accepts one. Closing the box cancels. */
export function askForSecret<T>(question: SecretQuestion<T>, signal: AbortSignal): Promise<T> {
	const box = vscode.window.createInputBox();
	const answer = Promise.withResolvers<T>();
	const closing = new AbortController();
	const whileOpen = AbortSignal.any([signal, closing.signal]);
	const giveUp = (): void => answer.reject(cancelled());
	box.title = question.title;
	const link = linkTo(question.page);
	box.prompt = `${link}${plainUnderBox(question.prompt)}`;
	box.placeholder = question.placeHolder;
	box.password = true;
	box.ignoreFocusOut = true;
	const { page } = question;
	if (page !== undefined) {
		box.buttons = [{ iconPath: new vscode.ThemeIcon('link-external'), tooltip: page.label }];
	}
	const openPage = (): void => void openExactly(page?.address ?? '');
	const tryIt = async (): Promise<void> => {
		if (box.value.trim() === '') {
			return;
		}
		box.busy = true;
		box.enabled = false;
		try {
			const taken = await question.take(box.value, whileOpen);
			if ('value' in taken) {
				answer.resolve(taken.value);
			} else {
				box.validationMessage = plainUnderBox(taken.complaint);
			}
		} catch (error) {
			if (!isAbort(error)) {
				answer.reject(error);
			}
		} finally {
			box.busy = false;
			box.enabled = true;
		}
	};
	const subscriptions = [
		box,
		box.onDidHide(giveUp),
		box.onDidChangeValue(() => {
			box.validationMessage = undefined;
			const told = question.tell?.(box.value);
			box.prompt = told === undefined ? `${link}${plainUnderBox(question.prompt)}` : plainUnderBox(told);
		}),
		box.onDidTriggerButton(openPage),
		box.onDidAccept(() => void tryIt()),
	];
	signal.addEventListener('abort', giveUp, { once: true });
	box.show();
	if (page?.opensAtOnce === true) {
		openPage();
	}
	return answer.promise.finally(() => {
		closing.abort();
		signal.removeEventListener('abort', giveUp);
		for (const subscription of subscriptions) {
			subscription.dispose();
		}
	});
}

/**
 * An input box has no rows, and a list cannot mask its text. The editor draws links in the prompt, though, and the
 * keyboard reaches them.
 */
function linkTo(page: HelpPage | undefined): string {
	if (page === undefined) {
		return '';
	}
	const label = plainUnderBox(page.label).replaceAll(/[[\]]/g, '');
	const address = page.address.replaceAll(/[()\s]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
	return page.remark === '' ? `[${label} ↗](${address}) ` : `[${label} ↗](${address}) ${page.remark} `;
}
