import * as vscode from 'vscode';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { gitVersion, mailSetup } from 'hardened-git/mailSetup.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { GitRepository } from '../../editor/git/gitApi.ts';
import { remotesOnForges } from '../../editor/git/remotesOnForges.ts';
import { probeAddress } from '../../store/listening/probeAddress.ts';
import type { CheckContext, CheckGroup } from './checkContext.ts';
import {
	folderLine,
	gitLine,
	gitTroubleLine,
	listenerLine,
	mailLines,
	noEditorGitLine,
	probedLine,
} from './computerWords.ts';
import { hostOfRemote, type FolderFinding } from './findings.ts';
import { ok, type Line } from './line.ts';

/** Checks that concern no single account. */
export function computerChecks(context: CheckContext): CheckGroup {
	let version: Promise<string> | undefined;

	/** Runs git once for all checks. */
	function versionOnce(signal: AbortSignal): Promise<string> {
		version ??= gitVersion(context.git, signal);
		return version;
	}

	async function gitLines(signal: AbortSignal): Promise<readonly Line[]> {
		try {
			return [gitLine(await versionOnce(signal))];
		} catch (error) {
			if (error instanceof GitFailure) {
				return [gitTroubleLine(error.problem)];
			}
			throw error;
		}
	}

	/** Silent without git: that has a line of its own. */
	async function mail(signal: AbortSignal): Promise<readonly Line[]> {
		try {
			await versionOnce(signal);
		} catch (error) {
			if (error instanceof GitFailure) {
				return [];
			}
			throw error;
		}
		return mailLines(await mailSetup(context.git, context.email, signal));
	}

	async function folders(signal: AbortSignal): Promise<readonly Line[]> {
		if (!context.isTrusted()) {
			// The line of git says so.
			return [];
		}
		await context.ready();
		const git = await context.findGit(signal);
		if (git === undefined) {
			return [noEditorGitLine()];
		}
		return git.repositories.length === 0
			? [ok(vscode.l10n.t('No folder with a repository is open.'))]
			: git.repositories.map((repository) => folderLine(folderFinding(context, repository)));
	}

	return {
		title: vscode.l10n.t('This computer'),
		checks: [
			{ about: vscode.l10n.t('Git'), run: gitLines },
			{ about: vscode.l10n.t('Email'), run: mail },
			{ about: vscode.l10n.t('Folders'), run: folders },
			{ about: vscode.l10n.t('Webhooks'), run: (signal) => webhookLines(context, signal) },
		],
	};
}

function folderFinding({ connections }: CheckContext, repository: GitRepository): FolderFinding {
	const found = remotesOnForges(repository, connections.all());
	const isFound = (name: string): boolean => found.some(({ remote }) => remote === name);
	return {
		folder: repository.rootUri.path.split('/').findLast((each) => each !== '') ?? '',
		matching: found.map(({ remote, ref, connection }) => ({
			remote,
			repository: refText(ref),
			forge: connection.instance.name,
		})),
		others: repository.state.remotes
			.filter(({ name }) => !isFound(name))
			.map(({ name, fetchUrl, pushUrl }) => ({ remote: name, host: hostOfRemote(fetchUrl ?? pushUrl ?? '') })),
	};
}

/** Calls the listener through each public URL. A URL may have a secret path, so lines name its host alone. */
async function webhookLines(
	{ listening, connections, post, ready }: CheckContext,
	signal: AbortSignal,
): Promise<readonly Line[]> {
	await ready();
	const addresses = connections.all().flatMap(({ instance }) => listening.addressFor(instance) ?? []);
	const { state } = listening;
	const known = listenerLine(state, addresses.length > 0);
	if (known) {
		return [known];
	}
	const lines: Line[] = [];
	// One after the other: a probe replaces the one before.
	for (const address of new Set(addresses)) {
		lines.push(probedLine(new URL(address).host, await probeAddress(address, listening.beginProbe, post, signal)));
	}
	return lines;
}
