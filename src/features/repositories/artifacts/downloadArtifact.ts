import * as vscode from 'vscode';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { confirm, notify } from '../../../editor/ask/notify.ts';
import { withProgress, type ShownProgress } from '../../../editor/ask/progress.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Artifact } from 'sourcehut/port/repository.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { sizeText } from '../../../engine/text/size.ts';
import { shownName } from '../subjects/words.ts';
import type { DownloadOutcome } from '../../../store/repositories/downloads.ts';
import { askSavePlace, notWrittenText, savedAfterAll, tellSaved } from './savePlace.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { inReadingOrder, shortName } from '../../../store/repositories/repositoryReferences.ts';
import { askRepository } from '../questions/repositoryQuestions.ts';
import { repositoriesSubject, artifactSubject, type ArtifactSubject } from '../subjects/subjects.ts';
import { moreArtifactsText } from './artifactRow.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';

/**
 * Asks for a place and downloads a file of a tag. The file gets its name only after its checksum matches. Asks first if
 * there is no checksum or the file is on another server.
 */
export async function downloadArtifact(
	{ connections, downloads }: RepositoriesContext,
	subject: unknown,
	signal: AbortSignal,
): Promise<void> {
	const meant = await artifactTarget(connections, subject, signal);
	const { connection, ref, artifact } = meant;
	const name = shownName(artifact.filename);
	const readArtifact = connection.repositories.uncached.artifact;
	if (!readArtifact) {
		void notify('information', vscode.l10n.t('Release files of this forge can only be downloaded on the web.'));
		return;
	}
	// The only checksum format seen on servers.
	const sha256 = /^sha256:([0-9a-f]{64})$/i.exec(artifact.checksum ?? '')?.[1]?.toLowerCase();
	await agree(meant, sha256 !== undefined);
	const path = await askSavePlace(
		artifact.filename,
		vscode.l10n.t('Save release file'),
		vscode.l10n.t('Release files can only be saved to a disk of the machine that runs the extension.'),
	);
	const title = vscode.l10n.t('Downloading {0}…', name);
	const { sizeBytes } = artifact;
	const whole = sizeText(sizeBytes, vscode.env.language);
	const outcome = await savedAfterAll(downloads, () => {
		let shown: ShownProgress | undefined;
		let told = 0;
		const progressed = (bytes: number): void => {
			const percent = sizeBytes === 0 ? 100 : Math.floor((100 * bytes) / sizeBytes);
			if (shown && percent > told) {
				const message = vscode.l10n.t('{0} of {1}', sizeText(bytes, vscode.env.language), whole);
				shown.report({ message, increment: percent - told });
				told = percent;
			}
		};
		return withProgress(
			title,
			signal,
			(working) => {
				const chunks = readArtifact(ref, artifact, working);
				return downloads.save({ path, chunks, promised: { kind: 'file', sizeBytes, sha256 }, progressed }, working);
			},
			(progress) => (shown = progress),
		);
	});
	// Not awaited: the notice may stay open for hours.
	void tell(outcome, artifact, sha256, path);
}

async function agree({ artifact, connection }: ArtifactTarget, isVerifiable: boolean): Promise<void> {
	const host = URL.parse(artifact.url)?.host;
	const isElsewhere = host !== undefined && URL.parse(artifact.url)?.origin !== connection.instance.areas.git;
	const concerns = [
		...(isElsewhere
			? [
					vscode.l10n.t(
						'It is on another server, {0}. The request is sent there without your account.',
						visibleLine(host),
					),
				]
			: []),
		...(isVerifiable
			? []
			: [vscode.l10n.t('The forge sent no checksum that can be verified, so the file cannot be checked.')]),
	];
	const name = shownName(artifact.filename);
	if (
		concerns.length > 0 &&
		!(await confirm(vscode.l10n.t('Download {0}?', name), concerns.join('\n\n'), vscode.l10n.t('Download')))
	) {
		throw cancelled();
	}
}

async function tell(
	outcome: DownloadOutcome,
	artifact: Artifact,
	sha256: string | undefined,
	path: string,
): Promise<void> {
	const name = shownName(artifact.filename);
	switch (outcome.kind) {
		case 'saved':
			return sha256 === undefined
				? tellSaved(
						'warning',
						vscode.l10n.t('Downloaded {0} without verification. Its SHA-256 is {1}.', name, outcome.sum),
						path,
					)
				: tellSaved('information', vscode.l10n.t('Downloaded {0}. Its checksum is correct.', name), path);
		case 'otherSum':
			await notify(
				'error',
				vscode.l10n.t(
					'{0} has a wrong checksum and was removed. Its SHA-256 should be {1} and is {2}. Download it again, or ask the person who uploaded it.',
					name,
					sha256 ?? '',
					outcome.sum,
				),
			);
			return;
		case 'otherSize':
			await notify(
				'error',
				vscode.l10n.t(
					'{0} has the wrong size and was removed. Bytes expected: {1}; received: {2}. Download it again.',
					name,
					artifact.sizeBytes,
					outcome.bytes,
				),
			);
			return;
		case 'notWritten':
			await notify('error', notWrittenText(name, outcome.code));
			return;
		case 'inTheWay':
			// The user declined.
			return;
	}
}

/** A file of a tag, and whom to ask for it. */
interface ArtifactTarget extends ArtifactSubject {
	readonly connection: Connection;
	readonly artifact: Artifact;
}

/** The command's file with fresh data, or one of a repository's files that the user chooses. */
async function artifactTarget(
	connections: Connections,
	subject: unknown,
	signal: AbortSignal,
): Promise<ArtifactTarget> {
	const given = artifactSubject(subject) ?? (await askArtifact(connections, subject, signal));
	const connection = connectionOf(connections, given);
	connection.repositories.forgetBefore(given.ref);
	const { items } = await connection.repositories.references(given.ref).first(signal);
	const artifact = items
		.find(({ name }) => name === given.tag)
		?.artifacts?.find(({ filename }) => filename === given.filename);
	if (!artifact) {
		throw new ForgeError({ kind: 'notFound' }, { about: `${refText(given.ref)} ${given.filename}` });
	}
	return { ...given, connection, artifact };
}

function unreadOfSomeText(): string {
	return vscode.l10n.t(
		'The release files of some tags could not be read. Refresh to try again, or open a tag on the web.',
	);
}

async function askArtifact(connections: Connections, subject: unknown, signal: AbortSignal): Promise<ArtifactSubject> {
	const { connectionKey, ref } = repositoriesSubject(subject) ?? (await askRepository(connections, 'any', signal));
	const { items } = await connectionOf(connections, { connectionKey }).repositories.references(ref).first(signal);
	const choices = inReadingOrder(items, undefined).flatMap((reference) =>
		(reference.artifacts ?? []).map(({ filename, sizeBytes }): Choice<ArtifactSubject> => ({
			label: shownName(filename),
			description: [shownName(shortName(reference)), sizeText(sizeBytes, vscode.env.language)].join(' · '),
			iconPath: new vscode.ThemeIcon('package'),
			value: { kind: 'artifact', connectionKey, ref, tag: reference.name, filename },
		})),
	);
	const isUnread = items.some(({ areArtifactsUnread }) => areArtifactsUnread);
	if (choices.length === 0) {
		const name = shownName(refText(ref));
		const none = vscode.l10n.t('No tag of {0} has files to download.', name);
		void notify('information', isUnread ? unreadOfSomeText() : none);
		throw cancelled();
	}
	if (isUnread) {
		void notify('information', unreadOfSomeText());
	}
	if (items.some(({ hasMoreArtifacts }) => hasMoreArtifacts)) {
		void notify('information', moreArtifactsText());
	}
	return choose(vscode.l10n.t('Choose a release file to download'), choices);
}
