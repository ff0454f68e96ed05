import * as v from 'valibot';
import * as vscode from 'vscode';
import { connectionOf, subjectReader } from '../../../editor/commands/subjects.ts';
import { choose } from '../../../editor/ask/ask.ts';
import { notify, offer } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { destinationLooks, destinationText } from '../../../editor/links/destinationText.ts';
import { openDestination } from '../../../editor/links/openDestination.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { partsOfProject } from 'sourcehut/port/project.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { named } from '../../../store/shared/keptText.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { askRepository } from '../questions/repositoryQuestions.ts';
import { repositoryKind } from '../subjects/repositoryKind.ts';

/** Opens other parts of a repository's, tracker's or list's project. */
export async function openProject(connections: Connections, subject: unknown, signal: AbortSignal): Promise<void> {
	const given = partSubject(subject) ?? repositoryKind.subjectOf(subject);
	const part = given ?? (await askRepository(connections, 'another', signal));
	const connection = connectionOf(connections, part);
	const { projects } = connection;
	if (!projects) {
		return tellNoService(connection);
	}
	const name = visibleLine(refText(part.ref));
	const { projects: found, isPart } = await withProgress(
		vscode.l10n.t('Searching for projects of {0}…', name),
		signal,
		(working) => projects.having(part, working),
	);
	const choices = found.flatMap((project) =>
		partsOfProject(project)
			.filter(({ kind, ref }) => kind !== part.kind || refText(ref) !== refText(part.ref))
			.map((other) => ({
				label: destinationText(other),
				description: visibleLine(project.name),
				iconPath: new vscode.ThemeIcon(destinationLooks[other.kind].icon),
				value: other,
			})),
	);
	if (choices.length === 0) {
		void notify(
			'information',
			isPart
				? vscode.l10n.t(
						'The forge lists only a part of the projects of {0}. Nothing there is with {1}.',
						visibleLine(part.ref.owner),
						name,
					)
				: found.length === 0
					? vscode.l10n.t('{0} is in no project of its owner.', name)
					: vscode.l10n.t('{0} is alone in its project.', name),
		);
		return;
	}
	const { kind, ref } = await choose(
		vscode.l10n.t('In one project with {0}', name),
		choices,
		isPart
			? vscode.l10n.t('The forge lists only a part of the projects of {0}.', visibleLine(part.ref.owner))
			: undefined,
	);
	await openDestination(connection, { kind, ref }, signal);
}

const connectionKey = v.string();

/** Something that may be in a project, or a thing of its page. */
const partSubject = subjectReader(
	v.union([
		v.object({ kind: v.picklist(['tracker', 'list', 'repository']), connectionKey, ref: named }),
		v.pipe(
			v.object({ kind: v.literal('ticket'), connectionKey, ref: v.object({ tracker: named }) }),
			v.transform(({ ref, ...within }) => ({ ...within, kind: 'tracker', ref: ref.tracker }) as const),
		),
		v.pipe(
			v.object({ kind: v.literal('patchset'), connectionKey, ref: v.object({ list: named }) }),
			v.transform(({ ref, ...within }) => ({ ...within, kind: 'list', ref: ref.list }) as const),
		),
		v.pipe(
			v.object({ kind: v.literal('mail'), connectionKey, list: named }),
			v.transform(({ list, ...within }) => ({ ...within, kind: 'list', ref: list }) as const),
		),
	]),
);

function tellNoService({ instance }: Connection): void {
	const name = visibleLine(instance.name);
	if (instance.hubAwaitsSignIn) {
		const text = vscode.l10n.t(
			'Your token for {0} was created before its settings named a service of projects. Sign in again to use it.',
			name,
		);
		void offer('information', text, vscode.l10n.t('Sign In…'), () =>
			vscode.commands.executeCommand('forge.accounts.signIn'),
		);
	} else if (instance.hub === undefined) {
		const text = vscode.l10n.t(
			'It is not known where {0} keeps its projects. Its entry in the setting forge.forges can say it, as "hub".',
			name,
		);
		void offer('information', text, vscode.l10n.t('Open Settings'), () =>
			vscode.commands.executeCommand('workbench.action.openSettings', 'forge.forges'),
		);
	} else {
		void notify('information', vscode.l10n.t('Projects are not available: the repositories of {0} use REST.', name));
	}
}
