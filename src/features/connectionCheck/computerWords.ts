import * as vscode from 'vscode';
import type { GitProblem } from 'hardened-git/gitFailure.ts';
import type { MailSetup } from 'hardened-git/mailSetup.ts';
import type { ProxySource } from 'sourcehut/port/proxyUse.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import type { ListeningState } from '../../store/listening/listening.ts';
import type { Probed } from '../../store/listening/probeAddress.ts';
import type { FolderFinding, ProxyFinding } from './findings.ts';
import { action, ok, warning, type Line } from './line.ts';
import { manageTrust, openGuide, openSettings } from './remedies.ts';

/** A proxy, without its user name and password. */
export function proxyLine(finding: ProxyFinding): Line {
	switch (finding.kind) {
		case 'none':
			return ok(vscode.l10n.t('No proxy is used.'));
		case 'proxy': {
			const { host, source } = finding;
			const hosts = finding.hosts.join(', ');
			return ok(
				{
					setting: vscode.l10n.t('The proxy {0} leads to {1}. It is from the setting "http.proxy".', host, hosts),
					environment: vscode.l10n.t('The proxy {0} leads to {1}. It is from the environment.', host, hosts),
					system: vscode.l10n.t('The proxy {0} leads to {1}. It is from the settings of your system.', host, hosts),
				}[source],
			);
		}
		case 'unusable':
			return action(unusableProxyText(finding.source), openSettings('http.proxy'));
	}
}

function unusableProxyText(source: ProxySource): string {
	switch (source) {
		case 'setting':
			return vscode.l10n.t('The setting "http.proxy" is not the URL of a proxy, so it is ignored. Correct it.');
		case 'environment':
			return vscode.l10n.t(
				'The proxy of the environment is not a usable URL, so it is ignored. Correct HTTPS_PROXY, or set "http.proxy".',
			);
		case 'system':
			return vscode.l10n.t(
				'The proxy of your system could not be determined: its script failed. Set "http.proxy", or ask the operator of your network.',
			);
	}
}

export function tlsLine(): Line {
	return warning(
		vscode.l10n.t(
			'Certificates are not checked, so anyone in between can read your token. Turn on "http.proxyStrictSSL".',
		),
		openSettings('http.proxyStrictSSL'),
	);
}

/** Why git does not run. */
export function gitTroubleLine(problem: GitProblem): Line {
	switch (problem.kind) {
		case 'notTrusted':
			return action(
				vscode.l10n.t(
					'Git is disabled in Restricted Mode, so clones, patches and email were not checked. Trust this window.',
				),
				manageTrust(),
			);
		case 'programMissing':
			return action(
				vscode.l10n.t('Git was not found. Install git, or set "git.path" to its program.'),
				openSettings('git.path'),
			);
		case 'tooOld':
			return action(
				vscode.l10n.t('Git {0} is too old. Install git 2.32 or later.', problem.version),
				openSettings('git.path'),
			);
		case 'folderMissing':
		case 'refused':
		case 'tooSlow':
		case 'tooMuch':
		case 'folderTaken':
		case 'folderNotMade':
		case 'notCloned':
		case 'notOwned':
		case 'lacksFiles':
		case 'failed':
			return action(
				vscode.l10n.t('Git was found but does not run. Run "git version" in a terminal, and see the log for details.'),
				openSettings('git.path'),
			);
	}
}

export function gitLine(version: string): Line {
	return version === ''
		? warning(vscode.l10n.t('Git runs, but does not say its version.'), openSettings('git.path'))
		: ok(vscode.l10n.t('Git {0} is used.', version));
}

/** Sending patches and replies by email. Never a password or a path. */
export function mailLines({ isInstalled, server, sender }: MailSetup): readonly Line[] {
	const guide = openGuide('lists');
	if (!isInstalled) {
		return [
			action(
				vscode.l10n.t('git send-email is not installed, so patches cannot be sent. Install the package "git-email".'),
				guide,
			),
		];
	}
	const lines: Line[] = [];
	switch (server.kind) {
		case 'host':
			lines.push(ok(vscode.l10n.t('git send-email sends through the server {0}.', server.host)));
			break;
		case 'program':
			lines.push(ok(vscode.l10n.t('git send-email sends through the program {0}.', server.name)));
			break;
		case 'unclear':
			lines.push(
				action(vscode.l10n.t('"sendemail.smtpServer" in the settings of git is not a host name. Correct it.'), guide),
			);
			break;
		case 'none':
			lines.push(
				warning(
					vscode.l10n.t(
						'git send-email has no server. Set "sendemail.smtpServer", unless another email program sends.',
					),
					guide,
				),
			);
	}
	switch (sender) {
		case 'known':
			break;
		case 'missing':
			lines.push(action(vscode.l10n.t('Git does not know your email address. Set "user.email".'), guide));
			break;
		case 'unclear':
			lines.push(action(vscode.l10n.t('"sendemail.from" is not one email address. Correct it.'), guide));
	}
	return lines;
}

/** The remotes of an open folder. */
export function folderLine({ folder, matching, others }: FolderFinding): Line {
	const name = visibleLine(folder);
	const [first] = matching;
	const rest = others.map(({ remote, host }) => (host === '' ? remote : `${remote} (${host})`)).map(visibleLine);
	if (first === undefined) {
		return rest.length === 0
			? warning(vscode.l10n.t('The folder "{0}" has no remote.', name), link())
			: warning(
					vscode.l10n.t(
						'No remote of the folder "{0}" belongs to your accounts: {1}. Sign in to its forge, or link the folder.',
						name,
						rest.join(', '),
					),
					link(),
				);
	}
	const found = matching.map(({ remote, repository, forge }) => visibleLine(`${remote} (${repository}, ${forge})`));
	return ok(
		rest.length === 0
			? vscode.l10n.t('Remotes of the folder "{0}" that belong to your accounts: {1}.', name, found.join(', '))
			: vscode.l10n.t(
					'Remotes of the folder "{0}" that belong to your accounts: {1}. Others: {2}.',
					name,
					found.join(', '),
					rest.join(', '),
				),
	);
}

function link(): Line['remedy'] {
	return { label: vscode.l10n.t('Link Folder…'), command: 'forge.folders.show' };
}

/** The editor shows no folders, so nothing is known of their remotes. */
export function noEditorGitLine(): Line {
	return warning(
		vscode.l10n.t("The editor's Git extension is off, so remotes of folders were not checked. Turn it on."),
		openSettings('git.enabled'),
	);
}

/** The listener, before any call to its public URL. `undefined`: the call decides. */
export function listenerLine(state: ListeningState, hasAddress: boolean): Line | undefined {
	switch (state.kind) {
		case 'off':
			return ok(vscode.l10n.t('Webhooks are off. The Inbox polls the forge.'));
		case 'noAccount':
			return ok(vscode.l10n.t('Webhooks wait for an account.'));
		case 'opening':
			return warning(vscode.l10n.t('Webhooks are about to be received. Check again in a moment.'), undefined);
		case 'portTaken':
			return action(
				vscode.l10n.t(
					'Webhooks are not received: another program uses port {0}. Close it, or choose another port.',
					String(state.place.port),
				),
				openSettings('forge.webhooks'),
			);
		case 'placeRefused':
			return action(
				vscode.l10n.t('Webhooks are not received: this computer does not allow the address or port. Choose another.'),
				openSettings('forge.webhooks'),
			);
		case 'open':
		case 'elsewhere':
			return hasAddress
				? undefined
				: action(
						vscode.l10n.t('No forge can send webhooks to this computer: the public URL is missing or wrong. Set it.'),
						openSettings('forge.webhooks.publicAddress'),
					);
	}
}

/** The listener by a call to its public URL. `host`: of that URL, without its path. */
export function probedLine(host: string, probed: Probed): Line {
	const settings = openSettings('forge.webhooks');
	switch (probed.kind) {
		case 'reached':
			return ok(vscode.l10n.t('{0} leads to Forge Desk, so webhooks can arrive.', host));
		case 'notOpen':
			return warning(vscode.l10n.t('Webhooks are not received.'), settings);
		case 'otherName':
			return action(
				vscode.l10n.t(
					'{0} leads to Forge Desk under another name, so deliveries are rejected. Let your tunnel or proxy keep the header "Host".',
					host,
				),
				openGuide('notifications'),
			);
		case 'otherAnswer':
			return action(
				vscode.l10n.t(
					'{0} does not lead to Forge Desk (HTTP status {1}). Check where the tunnel or proxy leads.',
					host,
					probed.status,
				),
				settings,
			);
		case 'unreached':
			return action(
				vscode.l10n.t(
					'{0} cannot be reached, so no webhook arrives. Start your tunnel, or correct the public URL.',
					host,
				),
				settings,
			);
	}
}
