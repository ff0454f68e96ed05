import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { minuteAfter } from '../../engine/text/age.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Log } from '../../base/log.ts';
import {
	isForgeError,
	type FieldError,
	type OwnReason,
	type Problem,
	type UnreachableReason,
} from 'sourcehut/port/forgeError.ts';
import { ticketLimits } from 'sourcehut/port/ticketLimits.ts';
import { DraftNotKept } from '../../store/drafts/drafts.ts';
import { isInDoubt } from '../../store/shared/sentOnce.ts';
import { doneAllTheSame } from '../../store/tickets/writing/writeOutcome.ts';
import { sizeText } from '../../engine/text/size.ts';
import { shortLine, visibleLine } from '../../engine/text/visible.ts';
import type { CommandId } from '../../commands/table.ts';
import { notify } from './notify.ts';
import { permissionText } from './permissionText.ts';

/** A failure as one or two sentences, with the next step. */
export interface Explanation {
	readonly message: string;
	readonly action: { readonly label: string; readonly command: CommandId | 'showLog' } | undefined;
}

/**
 * Time during which a rejected token counts as just reported. Longer than an account's own delay before its notice, but
 * short: an open notice must not silence the next account.
 */
const momentMs = 5000;

/** Turns failures into words, once for the whole program. */
export type Problems = ReturnType<typeof problems>;

/** `showLog` opens the output channel. */
export function problems(log: Log, showLog: () => void, clock: Clock) {
	let toldOfTokenMs = Number.NEGATIVE_INFINITY;
	const write = (error: unknown): void => {
		if (isAbort(error)) {
			return;
		}
		log.error(error instanceof Error ? (error.stack ?? error.message) : 'An unknown failure');
	};
	return {
		explain,
		log: write,
		/** True if any command reported a rejected token within the last moments. */
		hasJustToldOfToken: () => clock.nowMs() - toldOfTokenMs < momentMs,
		/** Shows the failure with its next step; an abort shows nothing. Resolves when the notice is gone. */
		async show(error: unknown) {
			if (isAbort(error)) {
				return;
			}
			write(error);
			const { message, action } = explain(error);
			if (isForgeError(error) && error.problem.kind === 'tokenRejected') {
				toldOfTokenMs = clock.nowMs();
			}
			const chosen = await notify('error', message, ...(action ? [action.label] : []));
			if (chosen === undefined || !action) {
				return;
			}
			if (action.command === 'showLog') {
				showLog();
			} else {
				await vscode.commands.executeCommand(action.command);
			}
		},
	};
}

/** The same for every program, so what only puts failures into words needs no `Problems`. */
export function explain(error: unknown): Explanation {
	if (error instanceof DraftNotKept) {
		return plain(
			error.isFull
				? vscode.l10n.t("Couldn't save the draft: the disk is full. Your text is kept in this window only.")
				: vscode.l10n.t("Couldn't save the draft. Your text is kept in this window only. See the log for details."),
		);
	}
	const explained = isForgeError(error) ? explainProblem(error.problem, error.about) : undefined;
	return explained
		? { ...explained, message: withWhatWasDone(explained.message, error) }
		: {
				message: vscode.l10n.t('An internal error occurred in Forge Desk. See the log for details.'),
				action: showLogAction(),
			};
}

/** A refusal with its side effects. */
export function withWhatWasDone(message: string, error: unknown): string {
	if (isForgeError(error) && error.isDone) {
		return vscode.l10n.t('{0} The change itself was saved. Refresh before you send it again.', message);
	}
	if (isInDoubt(error)) {
		return vscode.l10n.t('{0} It may have been done anyway. Check before you try again.', message);
	}
	const done = doneAllTheSame(error)?.done;
	if (done?.assignees) {
		return vscode.l10n.t('{0} Some of the assignees were changed anyway.', message);
	}
	return done ? vscode.l10n.t('{0} The labels of the ticket were changed anyway.', message) : message;
}

function explainProblem(problem: Problem, about: string | undefined): Explanation {
	switch (problem.kind) {
		case 'notSignedIn':
			return signIn(vscode.l10n.t('You are not signed in. Sign in to continue.'));
		case 'tokenRejected':
			return signIn(tokenRejected(problem.why));
		case 'sessionUnreadable':
			return plain(
				vscode.l10n.t('Your saved token could not be read. Unlock the keyring of your system and try again.'),
			);
		case 'missingScope':
			return signIn(missingScope(problem));
		case 'notAllowed':
			return plain(
				problem.reason === undefined
					? vscode.l10n.t('The forge does not allow you to do this. Ask the owner for permission.')
					: vscode.l10n.t('The forge rejected this: {0}', sentence(problem.reason)),
			);
		case 'notFound':
			if (problem.because === 'noPatches') {
				return plain(vscode.l10n.t('This message has no patches of its own. Open its thread instead.'));
			}
			if (problem.partialHost !== undefined) {
				return plain(
					vscode.l10n.t(
						'{0} has only a part of the archive, and this is not in it. Open it on the web at another archive.',
						problem.partialHost,
					),
				);
			}
			return plain(
				about === undefined
					? vscode.l10n.t("This doesn't exist on the forge, or you don't have access to it. Check the name.")
					: vscode.l10n.t("{0} doesn't exist, or you don't have access to it. Check the name.", shortLine(about, 300)),
			);
		case 'notOffered':
			return plain(vscode.l10n.t("This forge doesn't support this. Do it on the web instead."));
		case 'invalid':
			return plain(invalid(problem.errors));
		case 'rateLimited':
			return plain(
				problem.untilMs === undefined
					? vscode.l10n.t('Too many requests. Try again in a minute.')
					: vscode.l10n.t('Too many requests. Try again after {0}.', minuteAfter(problem.untilMs, vscode.env.language)),
			);
		case 'serverError':
			if (problem.status === undefined) {
				return plain(vscode.l10n.t('The forge reported an internal error. Try again later.'));
			}
			return plain(
				problem.status === 500
					? // Servers crash over what is missing or hidden (docs/protocol.md#crashes).
						vscode.l10n.t(
							'The forge failed with HTTP status {0}. The item may not exist. Check the name, or try again later.',
							problem.status,
						)
					: vscode.l10n.t('The forge failed with HTTP status {0}. Try again later.', problem.status),
			);
		case 'unreachable':
			return checking(unreachableText(problem.reason, problem.host, !isOfSettings(problem.host)));
		case 'tooLarge':
			return plain(
				vscode.l10n.t(
					'The response is larger than {0} and was not loaded. Open it on the web.',
					sizeText(problem.limitBytes, vscode.env.language),
				),
			);
		case 'browserCheck':
			return plain(
				vscode.l10n.t(
					'{0} wants to check your browser. Add a mirror of it to the setting {1}, or keep its lists for offline reading.',
					problem.host,
					'forge.archives.mirrors',
				),
			);
		case 'notUnderstood':
			return {
				message: problem.where.startsWith('the ')
					? vscode.l10n.t('Forge Desk cannot read the response of the forge. See the log for details.')
					: vscode.l10n.t(
							'Forge Desk cannot read the response of the forge ({0}). See the log for details.',
							problem.where,
						),
				action: showLogAction(),
			};
		case 'incomplete':
			return plain(
				problem.known === undefined
					? vscode.l10n.t('The forge lists only a part of this. Open it on the web to see the rest.')
					: vscode.l10n.t(
							'The forge leaves out a part of this folder, and Git could not read the rest. Trust the workspace, check that Git is installed, or clone the repository.',
						),
			);
		case 'redirected':
			return plain(
				vscode.l10n.t(
					'The forge sent a redirect to {0}, where your token is not sent. Check the URLs in the settings.',
					problem.toHost,
				),
			);
	}
}

function missingScope({ scope, asWritten, besides }: Extract<Problem, { readonly kind: 'missingScope' }>): string {
	// GraphQL grants have the same name on the page that creates tokens; other scopes differ by server.
	const name = /:R[OW]$/.test(asWritten) ? asWritten : (scope ?? asWritten);
	const permission = scope ?? besides;
	return permission === undefined
		? vscode.l10n.t("Your token doesn't have the permission {0}. Sign in again to grant it.", name)
		: vscode.l10n.t(
				"Your token doesn't have the permission {0}. It does not permit: {1}. Sign in again to grant it.",
				name,
				permissionText(permission),
			);
}

function tokenRejected(why: Extract<Problem, { readonly kind: 'tokenRejected' }>['why']): string {
	switch (why) {
		case 'expired':
			return vscode.l10n.t('Your token has expired. Sign in again to continue.');
		case 'ofOtherServers':
			return vscode.l10n.t('Your token does not work with the API that the forge uses now. Sign in with a new token.');
		case undefined:
			return vscode.l10n.t('The forge no longer accepts your token. Sign in again to continue.');
	}
}

function invalid(errors: readonly FieldError[]): string {
	const own = errors.find((error) => error.own !== undefined);
	const theirs = errors
		.filter((error) => error.own === undefined)
		.map(({ field, reason }) => {
			const isNamed = field === undefined || reason.toLowerCase().includes(field.toLowerCase().replaceAll('_', ' '));
			return isNamed ? sentence(reason) : vscode.l10n.t('{0}: {1}', fieldText(field), sentence(reason));
		});
	return own?.own === undefined
		? vscode.l10n.t('The forge rejected this: {0} Change it and try again.', theirs.join(' '))
		: ownReason(own.own, own.about ?? '');
}

/** A field of the contract as pages call it; any other as the server writes it. */
function fieldText(field: string): string {
	switch (field) {
		case 'name':
			return vscode.l10n.t('Name');
		case 'title':
			return vscode.l10n.t('Title');
		case 'description':
			return vscode.l10n.t('Description');
		case 'comment':
			return vscode.l10n.t('Comment');
		case 'labels':
			return vscode.l10n.t('Labels');
		case 'status':
			return vscode.l10n.t('Status');
		case 'resolution':
			return vscode.l10n.t('Resolution');
		case 'visibility':
			return vscode.l10n.t('Visibility');
		case 'list':
			return vscode.l10n.t('Mailing list');
		default:
			return field;
	}
}

/** Never sent, or refused without a reason. */
function ownReason(reason: OwnReason, about: string): string {
	return {
		noneGiven: vscode.l10n.t('The forge rejected this and gave no reason. Change it and try again.'),
		commentLength: vscode.l10n.t(
			'A comment must have {0} to {1} characters. Change it and try again.',
			ticketLimits.shortestComment,
			ticketLimits.longestComment,
		),
		titleLength: vscode.l10n.t(
			'A title must have {0} to {1} characters. Change it and try again.',
			ticketLimits.shortestTitle,
			ticketLimits.longestTitle,
		),
		textTooLong: vscode.l10n.t('The text is too long: the forge takes up to {0}. Shorten it and try again.', about),
		labelUnknown: vscode.l10n.t(
			'The tracker has no label {0}. Choose another label and try again.',
			visibleLine(about),
		),
		personUnknown: vscode.l10n.t(
			'{0} has never used tickets on this forge and cannot be assigned yet. Check the name.',
			visibleLine(about),
		),
		resolutionMissing: vscode.l10n.t('A resolved ticket needs a resolution. Choose one and try again.'),
		nameEmpty: vscode.l10n.t('A name is required. Enter one and try again.'),
		nameIsDots: vscode.l10n.t('The names "." and ".." cannot be used here. Change it and try again.'),
		halfCharacter: vscode.l10n.t('The name contains an incomplete character. Type it again.'),
		nulCharacter: vscode.l10n.t(
			'The text contains a NUL character, which the forge cannot save. Delete it and try again.',
		),
		nameInNoAddress: vscode.l10n.t('This name cannot be part of a URL. Change it and try again.'),
		slashInMessageId: vscode.l10n.t(
			'A message cannot be requested by a Message-ID that contains a slash. Open it from its list.',
		),
		mailboxMissing: vscode.l10n.t(
			'No mailbox can be read at {0}. Choose an mbox or MMDF file, also with .gz, a message with .eml or .patch, a maildir, or a folder of messages.',
			visibleLine(about),
		),
		mailboxDamaged: vscode.l10n.t(
			'A gzip file is cut off or damaged, or unpacks to 300 times its size: {0}. Download it again.',
			visibleLine(about),
		),
		noMailIndex: vscode.l10n.t(
			'This editor has no SQLite with full-text search, which mailboxes need. Update the editor and try again.',
		),
		mailIndexFails: vscode.l10n.t(
			'The index of a mailbox cannot be used now ({0}). Try again in a minute.',
			visibleLine(about),
		),
		diskFails: vscode.l10n.t('The disk is full or fails. Free some space and try again.'),
	}[reason];
}

/** True if the user's own list of forges has the host, or a host above it. */
function isOfSettings(host: string): boolean {
	const value = vscode.workspace.getConfiguration('forge').inspect<unknown>('forges')?.globalValue;
	const words = (JSON.stringify(value ?? null) ?? '').toLowerCase().split(/[^\w.:[\]-]+|:\/\//);
	const bare = (text: string): string => text.replace(/:\d+$/, '');
	return words.some((word) => word !== '' && (host === word || bare(host) === bare(word) || host.endsWith(`.${word}`)));
}

/** The failure of a connection and its next step. `isBuiltIn`: no setting has the URL, so it is right. */
export function unreachableText(reason: UnreachableReason, host: string, isBuiltIn: boolean): string {
	if (isBuiltIn && reason === 'dns') {
		return vscode.l10n.t('{0} cannot be found. Check that this computer is online and can look up names.', host);
	}
	if (isBuiltIn && reason === 'refused') {
		return vscode.l10n.t('{0} accepts no connection. Try again later.', host);
	}
	return {
		offline: vscode.l10n.t('{0} cannot be reached: there is no network. Try again once you are online.', host),
		dns: vscode.l10n.t('There is no server named {0}. Correct the URL in the settings.', host),
		refused: vscode.l10n.t('{0} accepts no connection. Try again later, or check the URL in the settings.', host),
		reset: vscode.l10n.t('{0} closed the connection. Check for a firewall or VPN, or try again later.', host),
		tls: vscode.l10n.t(
			'The certificate of {0} is not valid on this computer. Ask the operator of the forge, or add the certificate to your system.',
			host,
		),
		proxy: vscode.l10n.t('The proxy blocked the request to {0}. Check the proxy settings.', host),
		proxySignIn: vscode.l10n.t(
			'The proxy needs a user name and password for {0}. Set "http.proxyAuthorization", or add them to the URL of the proxy.',
			host,
		),
		proxyUnusable: vscode.l10n.t(
			'There is no usable proxy for {0}. Check the setting http.proxy, or the proxy settings of your system.',
			host,
		),
		timeout: vscode.l10n.t("{0} didn't respond in time. Check for a firewall or VPN, or try again later.", host),
		webPage: vscode.l10n.t(
			'A web page responds in place of {0}. Open the forge in your browser, and sign in to your network if it asks.',
			host,
		),
	}[reason];
}

function plain(message: string): Explanation {
	return { message, action: undefined };
}

function signIn(message: string): Explanation {
	return { message, action: { label: vscode.l10n.t('Sign In…'), command: 'forge.accounts.signIn' } };
}

function checking(message: string): Explanation {
	return { message, action: { label: vscode.l10n.t('Check Connection'), command: 'forge.checkConnection' } };
}

function showLogAction(): Explanation['action'] {
	return { label: vscode.l10n.t('Show Log'), command: 'showLog' };
}

/** A server's reason as a sentence; the decoder removed markup. */
function sentence(reason: string): string {
	const bare = reason.trim();
	return /[.!?]$/.test(bare) ? bare : `${bare}.`;
}
