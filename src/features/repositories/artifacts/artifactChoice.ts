import * as vscode from 'vscode';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { ForgeError } from '../../../forge/forgeError.ts';
import { repositoryRefText, type Artifact } from '../../../forge/repository.ts';
import type { Connection, Connections } from '../../../state/connection.ts';
import { inReadingOrder, shortName } from '../../../state/repositories/repositoryReferences.ts';
import { askRepository } from '../questions/repositoryQuestions.ts';
import { repositoriesSubject } from '../subjects/subjects.ts';
import { shownName, sizeText } from '../subjects/words.ts';
import { artifactSubject, type ArtifactSubject } from '../subjects/artifactSubject.ts';

/** A file of a tag, and whom to ask for it. */
export interface ArtifactMeant extends ArtifactSubject {
	readonly connection: Connection;
	readonly artifact: Artifact;
}

/** The file that a command was used on, as the forge tells of it now; else asks for one of a repository's. */
export async function artifactMeant(
	connections: Connections,
	subject: unknown,
	signal: AbortSignal,
): Promise<ArtifactMeant> {
	const given = artifactSubject(subject) ?? (await askArtifact(connections, subject, signal));
	const connection = connectionOf(connections, given);
	connection.repositories.forgetBefore(given.ref);
	const { items } = await connection.repositories.references(given.ref, signal);
	const artifact = items
		.find(({ name }) => name === given.tag)
		?.artifacts?.find(({ filename }) => filename === given.filename);
	if (!artifact) {
		throw new ForgeError({ kind: 'notFound' });
	}
	return { ...given, connection, artifact };
}

async function askArtifact(connections: Connections, subject: unknown, signal: AbortSignal): Promise<ArtifactSubject> {
	const { connectionKey, ref } = repositoriesSubject(subject) ?? (await askRepository(connections, 'any', signal));
	const { items } = await connectionOf(connections, { connectionKey }).repositories.references(ref, signal);
	const choices = inReadingOrder(items, undefined).flatMap((reference) =>
		(reference.artifacts ?? []).map(({ filename, sizeBytes }): Choice<ArtifactSubject> => ({
			label: shownName(filename),
			description: [shownName(shortName(reference)), sizeText(sizeBytes, vscode.env.language)].join(' · '),
			iconPath: new vscode.ThemeIcon('package'),
			value: { kind: 'artifact', connectionKey, ref, tag: reference.name, filename },
		})),
	);
	if (choices.length === 0) {
		const name = shownName(repositoryRefText(ref));
		void notify('information', vscode.l10n.t('No tag of {0} has files to download.', name));
		throw cancelled();
	}
	return choose(vscode.l10n.t('Download which release file?'), choices);
}
