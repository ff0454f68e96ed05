import * as vscode from 'vscode';
import { cancelled } from '../../editor/ask/ask.ts';
import type { BrowserWays } from '../../identity/browserSignIn.ts';
import { openExactly } from '../../editor/links/openExactly.ts';
import { pasteFaultText, receiverPages } from './signInTexts.ts';

/** The editor's side of a sign-in in the browser at one forge. */
export function browserWays(forge: string): BrowserWays {
	return {
		async reachable(address) {
			const outside = await vscode.env.asExternalUri(vscode.Uri.parse(address, true));
			// Without its default escapes: the server compares this address letter by letter.
			return outside.toString(true);
		},
		open: openExactly,
		waitForPaste: (check, { canComeBack, onDidComeRefusal }, signal) => {
			const box = vscode.window.createInputBox();
			box.title = vscode.l10n.t('Sign in to {0}', forge);
			box.prompt = canComeBack
				? vscode.l10n.t(
						'Continue in the browser. If it does not return by itself, paste the code that it shows, or the URL of its last page.',
					)
				: vscode.l10n.t('Continue in the browser. Then paste the code that it shows, or the URL of its last page.');
			box.placeholder = vscode.l10n.t('Code or URL');
			box.ignoreFocusOut = true;
			box.busy = true;
			const refusals = onDidComeRefusal(() => {
				box.prompt = vscode.l10n.t(
					'{0} may have rejected the sign-in. Paste the URL of the page that the browser shows now to see why.',
					forge,
				);
			});
			return waitIn(box, check, signal).finally(() => refusals.dispose());
		},
		pages: receiverPages(),
	};
}

/** Shows the box until the user enters an accepted input or the signal aborts. Closing the box cancels. */
function waitIn(
	box: vscode.InputBox,
	check: Parameters<BrowserWays['waitForPaste']>[0],
	signal: AbortSignal,
): Promise<void> {
	const ended = Promise.withResolvers<void>();
	const end = (): void => ended.resolve();
	const subscriptions = [
		box,
		box.onDidHide(() => (signal.aborted ? ended.resolve() : ended.reject(cancelled()))),
		box.onDidChangeValue(() => {
			box.validationMessage = undefined;
		}),
		box.onDidAccept(() => {
			const fault = check(box.value);
			if (fault === undefined) {
				ended.resolve();
			} else {
				box.validationMessage = pasteFaultText(fault);
			}
		}),
	];
	signal.addEventListener('abort', end, { once: true });
	if (signal.aborted) {
		end();
	} else {
		box.show();
	}
	return ended.promise.finally(() => {
		signal.removeEventListener('abort', end);
		for (const subscription of subscriptions) {
			subscription.dispose();
		}
	});
}
