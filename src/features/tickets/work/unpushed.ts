import * as vscode from 'vscode';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import type { Connections } from '../../../store/connection.ts';
import { actingTrailer, trailersOf, type ActingTrailer } from 'patchmail/series/commitTrailers.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketSubject } from '../subjects/subjects.ts';

import { statusLook, statusText } from '../subjects/words.ts';
import type { FindGit, GitCommit, GitRepository } from '../../../editor/git/gitApi.ts';
import { noRepositoryText } from './startWork.ts';
import type { TicketLookups } from '../references/ticketLookups.ts';
import { webOf } from '../../../editor/links/webOf.ts';

/** A ticket that commits name which no remote has yet. */
export interface NamedByCommits {
	readonly subject: TicketSubject;
	readonly trailer: ActingTrailer;
	/** Newest first. */
	readonly commits: readonly GitCommit[];
}

/** Commits beyond these are a project's history and no work of now. */
const mostCommits = 500;
/** Maximum number of title lookups. */
const mostLooks = 30;

/** Lists tickets in trailers of unpushed commits and returns the user's choice; `undefined` if there is none. */
export async function unpushedTicket(
	connections: Connections,
	findGit: FindGit,
	looks: TicketLookups,
	signal: AbortSignal,
): Promise<TicketSubject | undefined> {
	const git = await findGit(signal);
	if (!git || git.repositories.length === 0) {
		void notify('information', noRepositoryText(git));
		return undefined;
	}
	const perRepository = await Promise.all(git.repositories.map(unpushedCommits));
	const named = ticketsNamedBy(perRepository.flat(), connections);
	if (named.length === 0) {
		void notify('information', vscode.l10n.t('No unpushed commit mentions a ticket in a trailer.'));
		return undefined;
	}
	const found = await withProgress(vscode.l10n.t('Checking tickets…'), signal, (working) =>
		Promise.all(named.slice(0, mostLooks).map(({ subject }) => looks.look(subject, working))),
	);
	const effects: Readonly<Record<ActingTrailer, string>> = {
		Closes: vscode.l10n.t('resolves it as closed'),
		Fixes: vscode.l10n.t('resolves it as fixed'),
		Implements: vscode.l10n.t('resolves it as implemented'),
		References: vscode.l10n.t('mentions the commit'),
	};
	return choose(
		vscode.l10n.t(
			'These tickets are mentioned by unpushed commits, and will be resolved where the forge acts on trailers.',
		),
		named.map(({ subject, trailer, commits }, place): Choice<TicketSubject> => {
			const look = found[place] ?? looks.known(subject);
			const reference = visibleLine(ticketRefText(subject.ref));
			const [newest] = commits;
			const what = newest ? `${newest.hash.slice(0, 8)} ${visibleLine(newest.message.split('\n')[0] ?? '')}` : '';
			const more = commits.length > 1 ? vscode.l10n.t('and {0} more', commits.length - 1) : '';
			const detail = [`${trailer}: ${effects[trailer]}`, what, more].filter((fact) => fact !== '').join(' · ');
			if (look?.kind !== 'known') {
				const state = look?.kind === 'missing' ? vscode.l10n.t("doesn't exist, or you don't have access to it") : '';
				return { label: reference, description: state, detail, value: subject };
			}
			const { ticket } = look;
			return {
				label: visibleLine(ticket.title),
				description: `${reference} · ${statusText(ticket.status, ticket.resolution)}`,
				detail,
				iconPath: new vscode.ThemeIcon(statusLook(ticket.status).codicon),
				value: subject,
			};
		}),
	);
}

/** The commits of the branch that no remote's branch has. Runs nothing but git's log. */
async function unpushedCommits(repository: GitRepository): Promise<readonly GitCommit[]> {
	if (repository.state.HEAD?.commit === undefined) {
		return [];
	}
	const remote = await repository.getRefs({ pattern: 'refs/remotes/' });
	const known = new Set(remote.map(({ commit }) => commit).filter((id) => id !== undefined && /^[0-9a-f]+$/.test(id)));
	const refNames = ['HEAD', ...Array.from(known, (id) => `^${id}`)];
	return repository.log({ refNames, maxEntries: mostCommits });
}

/** The tickets that trailers of these commits name, in the order of the commits. Only whole addresses count for forges. */
export function ticketsNamedBy(commits: readonly GitCommit[], connections: Connections): readonly NamedByCommits[] {
	const found = new Map<string, { subject: TicketSubject; trailer: ActingTrailer; commits: GitCommit[] }>();
	for (const commit of commits) {
		for (const { key, value } of trailersOf(commit.message)) {
			const trailer = actingTrailer(key);
			const subject = trailer && subjectOf(value, connections);
			if (trailer && subject) {
				const name = `${trailer} ${subject.connectionKey} ${ticketRefText(subject.ref)}`;
				const entry = found.get(name) ?? { subject, trailer, commits: [] };
				entry.commits.push(commit);
				found.set(name, entry);
			}
		}
	}
	return [...found.values()];
}

function subjectOf(value: string, connections: Connections): TicketSubject | undefined {
	for (const connection of /^https?:\/\//i.test(value) ? connections.all() : []) {
		const reference = webOf(connection.instance).pastedReference?.(value);
		if (reference?.kind === 'ticket') {
			return { kind: 'ticket', connectionKey: connection.key, ref: reference.ticket };
		}
	}
	return undefined;
}
