import * as vscode from 'vscode';
import { unreachableText } from '../../editor/ask/problems.ts';
import { permissionText } from '../../editor/ask/permissionText.ts';
import { dayText, minuteAfter } from '../../engine/text/age.ts';
import { shortLine, visibleLine } from '../../engine/text/visible.ts';
import type {
	BudgetFinding,
	CertificateTrouble,
	ClockFinding,
	MissingGrants,
	ServiceFinding,
	TokenAnswer,
	TokenFinding,
} from './findings.ts';
import { action, ok, warning, type Line } from './line.ts';
import { openGuide, openSettings, signInAgain, type Remedy } from './remedies.ts';

/** A service of a forge. `isBuiltIn`: its URL is not from the settings. */
export interface NamedService {
	readonly host: string;
	readonly isBuiltIn: boolean;
}

/** A service by an answer that needs no token. */
export function serviceLine({ host, isBuiltIn }: NamedService, finding: ServiceFinding): Line {
	const guide = openGuide('troubleshooting');
	const urls: Remedy = isBuiltIn ? guide : openSettings('forge.forges');
	switch (finding.kind) {
		case 'service':
			return ok(
				finding.protocol === 'graphql'
					? vscode.l10n.t('{0} responds (GraphQL).', host)
					: vscode.l10n.t('{0} responds (REST).', host),
			);
		case 'dns':
		case 'refused':
			return action(unreachableText(finding.kind, host, isBuiltIn), urls);
		case 'offline':
		case 'reset':
		case 'timeout':
		case 'webPage':
			return action(unreachableText(finding.kind, host, isBuiltIn), guide);
		case 'proxySignIn':
		case 'proxyUnusable':
			return action(unreachableText(finding.kind, host, isBuiltIn), openSettings('http.proxy'));
		case 'certificate':
			return certificateLine(host, finding.why);
		case 'proxyRefuses':
			return action(
				vscode.l10n.t('The proxy does not allow connections to {0}. Ask its operator, or choose another proxy.', host),
				openSettings('http.proxy'),
			);
		case 'proxyUnreachable':
			return action(
				vscode.l10n.t('The proxy for {0} cannot be reached. Correct its URL, or choose another proxy.', host),
				openSettings('http.proxy'),
			);
		case 'redirected':
			return action(
				vscode.l10n.t(
					'{0} redirects to {1}, where your token is not sent. Sign in to your network, or correct the URL in the settings.',
					host,
					visibleLine(finding.toHost),
				),
				urls,
			);
		case 'rateLimited':
			return warning(
				vscode.l10n.t('{0} received too many requests. Wait a minute, or allow fewer requests per hour.', host),
				openSettings('forge.index.requestsPerHour'),
			);
		case 'unavailable':
			return action(
				vscode.l10n.t('{0} is not available now (HTTP status {1}). Try again later.', host, finding.status),
				guide,
			);
		case 'serverError':
			return action(vscode.l10n.t('{0} failed with HTTP status {1}. Try again later.', host, finding.status), guide);
		case 'turnsAway':
			return action(
				finding.reason === ''
					? vscode.l10n.t(
							'{0} turned the request away with HTTP status {1}. Check its URL, or ask its operator.',
							host,
							finding.status,
						)
					: vscode.l10n.t(
							'{0} turned the request away: {1} Ask its operator.',
							host,
							asSentence(shortLine(finding.reason, 300)),
						),
				urls,
			);
		case 'notUnderstood':
			return action(
				vscode.l10n.t(
					'{0} responds, but not as a service of a forge. Check its URL, and its version of SourceHut.',
					host,
				),
				urls,
			);
	}
}

function certificateLine(host: string, why: CertificateTrouble): Line {
	switch (why) {
		case 'expired':
			return action(
				vscode.l10n.t(
					'The certificate of {0} has expired. Check the clock of this computer, or ask the operator of the forge for a new one.',
					host,
				),
				openGuide('troubleshooting'),
			);
		case 'notYetValid':
			return action(
				vscode.l10n.t('The certificate of {0} is not valid yet. Correct the clock of this computer.', host),
				openGuide('troubleshooting'),
			);
		case 'selfSigned':
			return action(
				vscode.l10n.t(
					'The issuer of the certificate of {0} is unknown to this computer. Add it to the certificates of your system.',
					host,
				),
				openSettings('http.systemCertificates'),
			);
		case 'otherHost':
			return action(
				vscode.l10n.t(
					'The certificate of {0} is for another host. Sign in to your network, or correct the URL in the settings.',
					host,
				),
				openSettings('forge.forges'),
			);
		case 'other':
			return action(
				vscode.l10n.t(
					'The certificate of {0} is not valid on this computer. Ask the operator of the forge, or add it to the certificates of your system.',
					host,
				),
				openSettings('http.systemCertificates'),
			);
	}
}

/** A service that responds, by its answer to the token. */
export function tokenAnswerLine(service: NamedService, answer: TokenAnswer, sessionId: string): Line {
	const { host } = service;
	const again = signInAgain(sessionId);
	switch (answer.kind) {
		case 'accepted':
			return ok(
				answer.version === ''
					? vscode.l10n.t('{0} responds and accepts the token.', host)
					: vscode.l10n.t('{0} responds and accepts the token ({1}).', host, shortLine(answer.version, 60)),
			);
		case 'rejected':
			return action(
				vscode.l10n.t('{0} rejects the token: it is wrong, or someone revoked it. Sign in again.', host),
				again,
			);
		case 'lacking':
			return action(
				vscode.l10n.t(
					'{0} accepts the token, but it may read nothing there. Sign in again to grant permissions.',
					host,
				),
				again,
			);
		case 'rejectedBefore':
			return action(
				vscode.l10n.t('{0} rejected the token at sign-in and gets none since. Sign in with another token.', host),
				again,
			);
		case 'otherPerson':
			return action(
				vscode.l10n.t(
					'{0} says that the token belongs to {1}. Sign in again with your own token.',
					host,
					visibleLine(answer.owner),
				),
				again,
			);
		case 'barred':
			return action(
				vscode.l10n.t(
					'{0} bars this account: {1} Ask the operator of the forge.',
					host,
					asSentence(shortLine(answer.reason, 300)),
				),
				openGuide('troubleshooting'),
			);
		case 'offline':
		case 'dns':
		case 'refused':
		case 'reset':
		case 'timeout':
		case 'certificate':
		case 'proxyRefuses':
		case 'proxySignIn':
		case 'proxyUnreachable':
		case 'proxyUnusable':
		case 'webPage':
		case 'redirected':
		case 'rateLimited':
		case 'unavailable':
		case 'serverError':
		case 'turnsAway':
		case 'notUnderstood':
			return serviceLine(service, answer);
	}
}

/** A server's reason as a sentence. */
function asSentence(reason: string): string {
	return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

/** The token by its own statements. */
export function tokenLine(finding: TokenFinding, owner: string, sessionId: string): Line {
	const again = signInAgain(sessionId);
	switch (finding.kind) {
		case 'addressesChanged':
			return action(
				vscode.l10n.t('The URLs of this forge changed since the sign-in, so no service gets the token. Sign in again.'),
				again,
			);
		case 'ofOtherServers':
			return action(
				vscode.l10n.t('The token does not work with the API that the forge uses now. Sign in with a new token.'),
				again,
			);
		case 'expired':
			return action(
				vscode.l10n.t('The token expired on {0}. Sign in again.', dayText(finding.atMs, vscode.env.language)),
				again,
			);
		case 'endsSoon':
			return warning(
				vscode.l10n.t(
					'The token of {0} ends on {1}. Sign in again before that day.',
					owner,
					dayText(finding.atMs, vscode.env.language),
				),
				again,
			);
		case 'otherPerson':
			return action(
				vscode.l10n.t('The token belongs to {0}. Sign in again with your own token.', visibleLine(finding.owner)),
				again,
			);
		case 'valid':
			return ok(
				finding.untilMs === undefined
					? vscode.l10n.t('The token belongs to {0}. It does not say when it ends.', owner)
					: vscode.l10n.t(
							'The token belongs to {0} and is valid until {1}.',
							owner,
							dayText(finding.untilMs, vscode.env.language),
						),
			);
	}
}

/** Missing permissions of one service. */
export function grantsLine({ reading, writing, besides }: MissingGrants, host: string, sessionId: string): Line {
	const named = (missing: readonly Parameters<typeof permissionText>[0][]): string =>
		new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(missing.map(permissionText));
	if (reading.length > 0) {
		return action(
			vscode.l10n.t(
				'The token lacks permissions on {0}: {1}. Sign in again to grant them.',
				host,
				named([...reading, ...besides, ...writing]),
			),
			signInAgain(sessionId),
		);
	}
	return warning(
		vscode.l10n.t(
			'The token can read on {0}. It lacks permissions that some actions need: {1}.',
			host,
			named([...besides, ...writing]),
		),
		signInAgain(sessionId),
	);
}

/** The clock of this computer, compared with the forge's. */
export function clockLine(finding: ClockFinding): Line {
	switch (finding.kind) {
		case 'unknown':
			return warning(
				vscode.l10n.t('The clock of this computer was not compared, because no service gave its time.'),
				openGuide('troubleshooting'),
			);
		case 'right': {
			const seconds = Math.round(Math.abs(finding.offByMs) / 1000);
			return ok(
				seconds === 1
					? vscode.l10n.t('The clock of this computer agrees with the forge. The difference is 1 second.')
					: vscode.l10n.t('The clock of this computer agrees with the forge. The difference is {0} seconds.', seconds),
			);
		}
		case 'wrong': {
			const minutes = Math.round(Math.abs(finding.offByMs) / 60_000);
			return action(
				finding.offByMs > 0
					? vscode.l10n.t(
							'The clock of this computer is {0} minutes ahead of the forge. Let your system set the time.',
							minutes,
						)
					: vscode.l10n.t(
							'The clock of this computer is {0} minutes behind the forge. Let your system set the time.',
							minutes,
						),
				openGuide('troubleshooting'),
			);
		}
	}
}

/** The hourly limit of background requests. */
export function budgetLine(finding: BudgetFinding): Line {
	const settings = openSettings('forge.index.requestsPerHour');
	switch (finding.kind) {
		case 'left':
			return ok(vscode.l10n.t('Background requests left in this hour: {0} of {1}.', finding.left, finding.perHour));
		case 'spent':
			return warning(
				vscode.l10n.t(
					'The hourly limit of background requests ({0}) is reached until {1}. Raise it if this happens often.',
					finding.perHour,
					minuteAfter(finding.untilMs, vscode.env.language),
				),
				settings,
			);
		case 'off':
			return warning(
				vscode.l10n.t('Background requests are off, so the Inbox updates only when you refresh it.'),
				settings,
			);
	}
}
