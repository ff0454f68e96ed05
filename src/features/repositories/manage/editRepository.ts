import * as vscode from 'vscode';
import { askFor, cancelled, choose } from '../../../editor/ask/ask.ts';
import type { EditDescription } from '../../../editor/documents/described.ts';
import { confirm, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { askVisibility } from '../../../editor/owned/askVisibility.ts';
import { nameComplaint, ownNames } from '../../../editor/owned/newOwned.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { Repository, RepositoryRef } from '../../../forge/repository.ts';
import type { Connection } from '../../../state/connection.ts';
import type { ChangedRepository } from '../../../state/repositories/repositoryWriter.ts';
import { repositoryKind } from '../subjects/repositoryKind.ts';
import type { RepositorySubject } from '../subjects/subjects.ts';
import { shownName } from '../subjects/words.ts';
import { changeRepository } from './changeRepository.ts';

export interface EditParts {
	readonly problems: Pick<Problems, 'explain'>;
	readonly editDescription: EditDescription;
}

/** Asks what of a repository shall be another, and changes it. */
export async function editRepository(
	{ problems, editDescription }: EditParts,
	connection: Connection,
	subject: RepositorySubject,
	signal: AbortSignal,
): Promise<void> {
	const { ref } = subject;
	const now = await connection.repositories.renew(ref, signal);
	const edit = await choose<() => Promise<void>>(vscode.l10n.t('Choose what to edit in {0}', shownName(refText(ref))), [
		{
			label: vscode.l10n.t('Name…'),
			description: shownName(now.name),
			iconPath: new vscode.ThemeIcon('edit'),
			value: () => rename(problems, connection, ref, signal),
		},
		{
			label: vscode.l10n.t('Description…'),
			description: vscode.l10n.t('as a Markdown document'),
			iconPath: new vscode.ThemeIcon('markdown'),
			value: () => editDescription(subject),
		},
		{
			label: vscode.l10n.t('Visibility…'),
			description: shownName(now.visibility),
			iconPath: new vscode.ThemeIcon('eye'),
			value: () => show(problems, connection, { ref, now }, signal),
		},
	]);
	await edit();
}

/** The box keeps a name that the forge refuses. */
async function rename(
	problems: Pick<Problems, 'explain'>,
	connection: Connection,
	ref: RepositoryRef,
	signal: AbortSignal,
): Promise<void> {
	const others = (await ownNames(repositoryKind, connection, signal)).filter((each) => each !== ref.name);
	let value = ref.name;
	let prompt = vscode.l10n.t('New name. The URL changes with it: update the remotes of clones.');
	for (;;) {
		const name = await askFor({
			title: vscode.l10n.t('Rename {0}', shownName(refText(ref))),
			prompt,
			value,
			complaint: (typed) => nameComplaint(repositoryKind, typed.trim(), others),
		});
		if (name === ref.name) {
			throw cancelled();
		}
		try {
			const changed = await changeRepository(connection, ref, { name }, signal);
			const [before, given] = [shownName(ref.name), shownName(changed.repository.name)];
			return tellChanged(problems, changed, {
				done: vscode.l10n.t('Renamed {0} to {1}', before, given),
				unread: (why) =>
					vscode.l10n.t('Renamed {0} to {1}, but the repository could not be loaded again. {2}', before, given, why),
			});
		} catch (error) {
			if (!isForgeError(error) || error.problem.kind !== 'invalid') {
				throw error;
			}
			value = name;
			prompt = problems.explain(error).message;
		}
	}
}

async function show(
	problems: Pick<Problems, 'explain'>,
	connection: Connection,
	{ ref, now }: { readonly ref: RepositoryRef; readonly now: Repository },
	signal: AbortSignal,
): Promise<void> {
	const visibility = await askVisibility(vscode.l10n.t('Who can see the repository?'), {
		value: now.visibility,
		mark: vscode.l10n.t('current'),
	});
	const name = shownName(refText(ref));
	if (visibility === now.visibility) {
		throw cancelled();
	}
	if (
		now.visibility === 'private' &&
		!(await confirm(
			vscode.l10n.t('Make {0} visible to others?', name),
			vscode.l10n.t('Others can then read its whole history and keep copies of it.'),
			vscode.l10n.t('Make Visible'),
		))
	) {
		throw cancelled();
	}
	const changed = await changeRepository(connection, ref, { visibility }, signal);
	tellChanged(problems, changed, {
		done: vscode.l10n.t('Changed the visibility of {0}', name),
		unread: (why) =>
			vscode.l10n.t('Changed the visibility of {0}, but the repository could not be loaded again. {1}', name, why),
	});
}

interface ChangedTexts {
	readonly done: string;
	/** Message after a successful change whose reload failed, with the reason. */
	readonly unread: (why: string) => string;
}

function tellChanged(
	{ explain }: Pick<Problems, 'explain'>,
	changed: ChangedRepository,
	{ done, unread }: ChangedTexts,
): void {
	if (!changed.unread) {
		return tellBriefly(done);
	}
	void notify('warning', unread(explain(changed.unread).message));
}
