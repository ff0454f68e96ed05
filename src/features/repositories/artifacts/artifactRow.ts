import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import type { Reference } from 'sourcehut/port/repository.ts';
import { fullTime } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { noteRow, rowId, type InRepository } from '../subjects/rowsInRepository.ts';
import { sizeText } from '../../../engine/text/size.ts';
import { shownName } from '../subjects/words.ts';
import type { ArtifactSubject } from '../subjects/subjects.ts';

/** Rows of a tag's release files. Names may repeat, so row ids use the position. */
export function artifactRows({ connection, ref }: InRepository, reference: Reference, parent: TreeNode) {
	const rows = (reference.artifacts ?? []).map((artifact, index): TreeNode => {
		const name = shownName(artifact.filename);
		const size = sizeText(artifact.sizeBytes, vscode.env.language);
		const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
		item.description = size;
		item.iconPath = new vscode.ThemeIcon('package');
		item.contextValue = rowContext('artifact', {});
		item.accessibilityInformation = { label: vscode.l10n.t('Release file {0}, {1}', name, size) };
		const subject: ArtifactSubject = {
			kind: 'artifact',
			connectionKey: connection.key,
			ref,
			tag: reference.name,
			filename: artifact.filename,
		};
		item.command = {
			command: 'forge.repositories.downloadArtifact',
			title: vscode.l10n.t('Download'),
			arguments: [subject],
		};
		return {
			id: `${rowId({ connection, ref }, reference.name)}?artifact${index}`,
			item,
			parent,
			subject,
			tooltip: () =>
				Promise.resolve(
					untrustedMarkdown([
						`**${escapeMarkdown(shownName(artifact.filename))}**`,
						artifact.createdMs === undefined
							? ''
							: escapeMarkdown(vscode.l10n.t('Uploaded on {0}', fullTime(artifact.createdMs, vscode.env.language))),
						escapeMarkdown(visibleLine(artifact.checksum ?? vscode.l10n.t('No checksum'))),
						escapeMarkdown(visibleLine(artifact.url)),
					]),
				),
		};
	});
	const note = reference.areArtifactsUnread
		? vscode.l10n.t('The release files could not be read. Refresh to try again, or open the tag on the web.')
		: reference.hasMoreArtifacts
			? moreArtifactsText()
			: undefined;
	return note === undefined ? rows : [...rows, noteRow(`${parent.id}?more`, note, parent)];
}

/** Note for a forge that returns only the first files. */
export function moreArtifactsText(): string {
	return vscode.l10n.t('The forge has more release files. Open it on the web to see them.');
}
