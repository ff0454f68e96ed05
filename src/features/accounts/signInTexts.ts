import * as vscode from 'vscode';
import type { ContentArea } from 'sourcehut/port/instance.ts';
import type { Scope } from 'sourcehut/port/scope.ts';
import type { CallbackFault } from 'sourcehut/identity/callback.ts';
import type { ReceiverPages } from 'sourcehut/identity/redirectReceiver.ts';
import { dayText } from '../../engine/text/age.ts';
import type { SignInProblem } from 'sourcehut/identity/signInError.ts';
import type { TokenFault } from 'sourcehut/identity/token.ts';

/** The problem and the next step. `undefined` when the user already knows, as after a cancel. */
export function explainSignIn(problem: SignInProblem, forge: string): string | undefined {
	switch (problem.kind) {
		case 'declined':
			return undefined;
		case 'timedOut':
			return vscode.l10n.t('The browser did not return within five minutes. Sign in to {0} again.', forge);
		case 'scopeRefused':
			return vscode.l10n.t(
				'{0} does not grant {1} ({2}). Correct "scopePrefixes" or "scopeNames" of this forge in the settings, or sign in with a token.',
				forge,
				problem.asked.join(', '),
				problem.serverSays,
			);
		case 'redirectRefused':
			return vscode.l10n.t(
				'{0} does not redirect the browser to this computer ({1}). Register the client with the URL http://127.0.0.1:<port>/callback, or sign in with a token.',
				forge,
				problem.serverSays,
			);
		case 'refused':
			return vscode.l10n.t(
				'{0} rejected the sign-in: {1}. Try again, or sign in with a token.',
				forge,
				problem.serverSays,
			);
		case 'unknownClient':
			return vscode.l10n.t(
				'{0} does not know the client in the settings. Correct its "clientId", or sign in with a token.',
				forge,
			);
		case 'wrongSecret':
			return vscode.l10n.t('{0} rejected the client secret. Sign in again to enter another one.', forge);
		case 'codeSpent':
			return vscode.l10n.t('The code was already used or has expired. Sign in to {0} again.', forge);
		case 'notUnderstood':
			return vscode.l10n.t(
				'Forge Desk cannot read the response of {0} ({1}). Check the URL of its identity service in the settings.',
				forge,
				problem.where,
			);
		case 'foreignAddress':
			return vscode.l10n.t(
				'{0} redirected the sign-in to {1}, which is not its own URL. Nothing was sent there. Check the URLs in the settings.',
				forge,
				problem.address,
			);
		case 'noPkce':
		case 'tokenOnly':
			return vscode.l10n.t(
				'{0} does not support signing in to Forge Desk in the browser. Sign in with a token.',
				forge,
			);
		case 'otherAccount':
			return vscode.l10n.t(
				'The browser is signed in to {0} as {1}, but {2} was expected. Sign in there as {2} and try again.',
				forge,
				problem.got,
				problem.wanted,
			);
		case 'tokenExpired':
			return vscode.l10n.t(
				'The token of {0} for {1} expired on {2}. Create a new one on the page that the button opens.',
				problem.owner,
				forge,
				dayText(problem.expiresMs, vscode.env.language),
			);
		case 'tokenOfOtherServers':
			return problem.isOlder
				? vscode.l10n.t(
						'{0} does not accept this kind of token any more. Create a new one on the page that the button opens.',
						forge,
					)
				: vscode.l10n.t(
						'{0} does not accept this kind of token yet. Create one on the page that the button opens.',
						forge,
					);
		case 'tokenRefused':
			return vscode.l10n.t('{0} rejected this token. Create a new one.', forge);
		case 'gitMissing':
			return vscode.l10n.t('{0} needs git, which was not found. Install git, then try again.', forge);
		case 'portTaken':
			return vscode.l10n.t(
				'Another program uses port {0} of {1}. Close it and try again, or choose "End Sample Forge…" in the menu of a view.',
				String(problem.port),
				forge,
			);
	}
}

/** Why a pasted text is no token and no client secret. */
export function pastedFaultText(fault: TokenFault): string {
	switch (fault) {
		case 'spaces':
			return vscode.l10n.t('The text contains spaces. Copy it again, without the text around it.');
		case 'characters':
			return vscode.l10n.t('The text contains characters other than letters, digits and signs. Copy it again.');
		case 'tooShort':
			return vscode.l10n.t('The text is too short. Copy it again in full.');
		case 'tooLong':
			return vscode.l10n.t('The text is too long. Copy it again, without the text around it.');
	}
}

/** A forge rejects the account's token for an unknown reason. */
export function rejectedText(forge: string, accountName: string): string {
	return vscode.l10n.t('{0} no longer accepts the token of {1}. Sign in again to continue.', forge, accountName);
}

/** The time of an account's token is over. */
export function expiredText(forge: string, accountName: string): string {
	return vscode.l10n.t('The token of {1} for {0} has expired. Sign in again to continue.', forge, accountName);
}

/** The forge was upgraded or downgraded after the sign-in. */
export function otherServersText(forge: string, accountName: string): string {
	return vscode.l10n.t(
		'{0} uses another API now, with which the token of {1} does not work. Sign in again with a new token.',
		forge,
		accountName,
	);
}

/** Names an area inside a sentence or a list. */
export function areaText(area: ContentArea): string {
	switch (area) {
		case 'todo':
			return vscode.l10n.t('tickets');
		case 'lists':
			return vscode.l10n.t('mailing lists');
		case 'git':
			return vscode.l10n.t('repositories');
	}
}

/** Reason for rejecting pasted text. */
export function pasteFaultText(fault: CallbackFault): string {
	switch (fault) {
		case 'noCode':
		case 'tooLong':
		case 'repeatedParameter':
		case 'codeAndError':
			return vscode.l10n.t('This contains no code. Paste the whole URL of the page, or the code that it shows.');
		case 'noState':
		case 'refusalWithoutState':
		case 'otherState':
		case 'otherIssuer':
			return vscode.l10n.t(
				'This URL belongs to another sign-in. Paste the URL of the page that the browser shows now.',
			);
		case 'spent':
			return vscode.l10n.t('This sign-in has ended. Start again.');
	}
}

/** The page in the browser after the redirect. */
export function receiverPages(): ReceiverPages {
	return {
		title: 'Forge Desk',
		goBack: vscode.l10n.t('You can close this page and go back to the editor.'),
		notExpected: vscode.l10n.t('This page belongs to no sign-in in progress. Start again in the editor.'),
		perhapsRefused: vscode.l10n.t(
			'The forge may have rejected the sign-in. Copy the URL of this page into the editor to see why, or start again there.',
		),
		language: vscode.env.language,
	};
}

/** Asks for one more permission. */
export function scopeQuestion(scope: Scope, forge: string): string {
	switch (scope) {
		case 'tickets:write':
			return vscode.l10n.t('Forge Desk needs permission to change tickets and comments on {0}.', forge);
		case 'trackers:write':
			return vscode.l10n.t('Forge Desk needs permission to change your trackers on {0}.', forge);
		case 'lists:write':
			return vscode.l10n.t('Forge Desk needs permission to change your mailing lists on {0}.', forge);
		case 'patches:write':
			return vscode.l10n.t('Forge Desk needs permission to change the status of patchsets on {0}.', forge);
		case 'subs:write':
			return vscode.l10n.t('Forge Desk needs permission to change your subscriptions on {0}.', forge);
		case 'info:write':
			return vscode.l10n.t('Forge Desk needs permission to change your repositories on {0}.', forge);
		case 'emails:read':
		case 'lists:read':
		case 'patches:read':
		case 'subs:read':
		case 'info:read':
		case 'data:read':
		case 'trackers:read':
		case 'tickets:read':
			return vscode.l10n.t('Forge Desk needs the permission {0} on {1}.', scope, forge);
	}
}
