import * as v from 'valibot';
import * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { fullTime } from '../../../engine/text/age.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { Connections } from '../../../store/connection.ts';
import { thanksName, type MailDraftSubject } from '../../../store/drafts/drafts.ts';
import { goodOf, keptIn, maybe, named, whole, type KeptText } from '../../../store/shared/keptText.ts';
import { present, type PatchsetSubject } from '../subjects/subjects.ts';

const commit = v.object({
	id: v.pipe(v.string(), v.regex(/^[0-9a-f]{40,64}$/)),
	subject: v.string(),
	/** Number of its patch; 0 for a commit without one. */
	index: whole,
});

/** State of a patchset in a clone of this machine. */
const entry = v.object({
	list: named,
	id: whole,
	/** Short branch name; `undefined` if detached. */
	branch: maybe(v.string()),
	/** Oldest first. */
	commits: v.array(commit),
	/** Numbers of the patches that git did not get. */
	leftOut: v.array(whole),
	/** Tickets in trailers of the commits. */
	tickets: v.array(v.object({ tracker: named, id: whole, trailer: v.picklist(['Closes', 'Fixes', 'Implements']) })),
	appliedMs: v.number(),
	pushed: maybe(
		v.object({
			remote: v.string(),
			branch: v.string(),
			address: v.string(),
			/** The repository, if the remote is on the account's forge. */
			repository: maybe(named),
			atMs: v.number(),
		}),
	),
	/** The mail that the thanks reply to, and the time when they were sent. */
	thanks: maybe(v.object({ to: whole, sentMs: maybe(v.number()) })),
});
type Entry = Readonly<v.InferOutput<typeof entry>>;
const entries = goodOf(entry);

/** The commits of an applied patchset, their push, and the thanks. */
export type AppliedFact = Omit<Entry, 'list' | 'id'> & { readonly subject: PatchsetSubject };

/** Of one account; older ones are forgotten. */
const mostKept = 300;

/** Facts about applied patchsets, shared by all windows until the sign-out. They outlive the clone. */
export type AppliedCommits = ReturnType<typeof appliedCommits>;

export function appliedCommits(connections: Connections, placeOf: (connectionKey: string) => KeptText) {
	const changed = new Emitter<PatchsetSubject>();
	const read = (key: string): readonly Entry[] => keptIn(placeOf(key).read(), entries, []);
	const isOf = ({ list, id }: Entry, { connectionKey, ref }: PatchsetSubject): boolean =>
		refText(list) === refText(ref.list) &&
		present(connections, { connectionKey, ref: { list, id } }).ref.id ===
			present(connections, { connectionKey, ref }).ref.id;
	const write = async (subject: PatchsetSubject, made: readonly Entry[]): Promise<void> => {
		const { connectionKey: key } = subject;
		const others = read(key).filter((each) => !isOf(each, subject));
		await placeOf(key).write(JSON.stringify([...made, ...others].slice(0, mostKept)));
		changed.fire(subject);
	};
	const of = (subject: PatchsetSubject): AppliedFact | undefined => {
		const found = read(subject.connectionKey).find((each) => isOf(each, subject));
		return found && factOf(subject.connectionKey, found);
	};
	const put = ({ subject, ...rest }: AppliedFact): Promise<void> => write(subject, [{ ...rest, ...subject.ref }]);
	return {
		/** `undefined` if the patchset was not applied here, or the user took it back. */
		of,
		/** Replaces the fact of its patchset. */
		put,
		drop: (subject: PatchsetSubject): Promise<void> => write(subject, []),
		/** Notes that a draft went out, if it thanks for a patchset. */
		async wasSent({ connectionKey, ref, answers, name }: MailDraftSubject, atMs: number): Promise<void> {
			const isThere = name === thanksName && connections.byKey(connectionKey) !== undefined;
			const sent = (isThere ? read(connectionKey) : []).find(
				({ list, thanks }) => thanks?.to === answers && refText(list) === refText(ref),
			);
			if (sent?.thanks) {
				await put({ ...factOf(connectionKey, sent), thanks: { ...sent.thanks, sentMs: atMs } });
			}
		},
		/** Fires on changes in this window. */
		onDidChange: changed.event,
		dispose: () => changed.dispose(),
	};
}

function factOf(connectionKey: string, { list, id, ...rest }: Entry): AppliedFact {
	return { ...rest, subject: { kind: 'patchset', connectionKey, ref: { list, id } } };
}

/** One sentence for each step, in order. */
export function appliedSentences({
	branch,
	commits,
	leftOut,
	appliedMs,
	pushed,
	thanks,
}: AppliedFact): readonly string[] {
	const { language } = vscode.env;
	const count = commits.length === 1 ? vscode.l10n.t('1 commit') : vscode.l10n.t('{0} commits', commits.length);
	const numbers = new Intl.ListFormat(language).format(leftOut.map(String));
	return [
		branch === undefined
			? vscode.l10n.t('Applied as {0} on {1}.', count, fullTime(appliedMs, language))
			: vscode.l10n.t('Applied to {1} as {0} on {2}.', count, visibleLine(branch), fullTime(appliedMs, language)),
		...(leftOut.length === 0 ? [] : [vscode.l10n.t('Patches left out: {0}.', numbers)]),
		pushed === undefined
			? vscode.l10n.t('Not pushed.')
			: vscode.l10n.t(
					'Pushed to {0} ({1}) on {2}.',
					visibleLine(pushed.branch),
					visibleLine(pushed.remote),
					fullTime(pushed.atMs, language),
				),
		...(thanks?.sentMs === undefined ? [] : [vscode.l10n.t('Thanks sent on {0}.', fullTime(thanks.sentMs, language))]),
	];
}
