import * as vscode from 'vscode';
import { isAbort } from '../../base/abort.ts';
import { Emitter } from '../../base/event.ts';
import { unlessAbandoned } from '../../base/sharedFlights.ts';
import { Disposables } from '../../base/lifecycle.ts';
import { isForgeError } from '../../forge/port/forgeError.ts';
import { visible } from '../../engine/text/visible.ts';
import { cancelWith } from '../ask/cancelWith.ts';
import { agedRows } from './agedRows.ts';
import { answersUnderWay } from './answersUnderWay.ts';
import { askedTop } from './askedTop.ts';
import { drawnRows } from './drawnRows.ts';
import { knownRows } from './knownRows.ts';
import { failedRow, noticeRow } from './noticeRow.ts';
import { refoldedRows } from './refoldedRows.ts';
import { rowCommands } from './rowCommands.ts';
import { rowsAhead, type ReadRows } from './rowsAhead.ts';
import { byId, type TreeNode } from './treeNode.ts';
import type { ViewState } from '../../commands/viewIds.ts';
import { viewDescription } from './viewDescription.ts';
import { viewProblem } from './viewProblem.ts';
import type { TreeContext } from './treeSource.ts';

/**
 * Tree data provider for a source: progress, cancel, error rows or welcome text, and retry. The id identifies a row, so
 * a redraw keeps selection and expansion. Visible rows reload before the change event goes out, because the editor
 * drops them at the event until it gets the answer.
 */
export class ForgeTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
	readonly #context: TreeContext;
	readonly #rows = knownRows();
	readonly #running = new Set<AbortController>();
	readonly #changed = new Emitter<TreeNode | undefined>();
	readonly #subscriptions = new Disposables();
	readonly #description: ReturnType<typeof viewDescription>;
	/** Expanded rows, with children prefetched for the next change event. */
	readonly #ahead = rowsAhead((id) => this.#rows.find(id)?.parent?.id);
	readonly #aged: ReturnType<typeof agedRows>;
	readonly #refolded: ReturnType<typeof refoldedRows>;
	readonly #drawn: ReturnType<typeof drawnRows>;
	readonly #commands: ReturnType<typeof rowCommands>;
	/** Running prefetches; true if the row changed again meanwhile. */
	readonly #readingAhead = new Map<string | undefined, boolean>();
	readonly #top = askedTop(
		(signal) => this.#readAsked(undefined, signal),
		() => this.#redraw(undefined),
	);
	readonly #answers = answersUnderWay(() => this.#tellLoading());
	/** Resolves when the editor received the last change of the root. */
	#toldTop: Promise<void> = Promise.resolve();
	/** From the editor's last event: during a full reload, the view reports an empty selection. */
	#selectedCount: number;
	#wasSignedOut = false;
	/** Counts readings below any row. */
	#begun = 0;
	/** Counts changes of any row. */
	#changes = 0;
	/** Changed rows while the source clears its cache; otherwise `undefined`. */
	#changedMeanwhile: Set<TreeNode | undefined> | undefined;
	readonly onDidChangeTreeData = this.#changed.event;

	constructor(context: TreeContext) {
		this.#context = context;
		const { view, clock } = context;
		this.#drawn = drawnRows(clock);
		this.#commands = this.#subscriptions.add(rowCommands(context.id));
		this.#selectedCount = view.selection.length;
		this.#subscriptions.add(view.onDidChangeSelection(({ selection }) => (this.#selectedCount = selection.length)));
		this.#aged = this.#subscriptions.add(agedRows(view, clock, (id) => this.#redrawAge(id)));
		this.#refolded = this.#subscriptions.add(refoldedRows(clock, (id) => void this.#unfold(id)));
		this.#subscriptions.add(
			context.source.onDidChange((node) => void (this.#changedMeanwhile?.add(node) ?? this.#redraw(node))),
		);
		this.#subscriptions.add(view.onDidExpandElement(({ element }) => this.#turned(element, true)));
		this.#subscriptions.add(view.onDidCollapseElement(({ element }) => this.#turned(element, false)));
		const { note, onDidOpen } = context.source;
		this.#description = this.#subscriptions.add(viewDescription(view, note));
		if (onDidOpen) {
			this.#subscriptions.add(onDidOpen((node) => void this.#open(node)));
		}
	}

	async getChildren(node?: TreeNode): Promise<TreeNode[]> {
		const answered = this.#refolded.asked();
		const given = this.#drawn.asked(node?.id);
		const sent = this.#answers.asked(node?.id);
		const ahead = this.#ahead.asked(node?.id);
		const read = (signal: AbortSignal): Promise<readonly TreeNode[]> =>
			node ? this.#readAsked(node, signal) : this.#top.ask(signal);
		try {
			const rows = ahead ?? (await this.#working(read));
			this.#rows.given(node?.id, rows);
			given(rows);
			this.#description.tell();
			return [...rows];
		} finally {
			given();
			answered();
			sent();
		}
	}

	getTreeItem(node: TreeNode): vscode.TreeItem {
		return this.#rows.drew(node, this.#look(node));
	}

	#look(node: TreeNode): vscode.TreeItem {
		const latest = this.#rows.latest(node);
		const { item, id } = latest;
		item.id = id;
		this.#aged.drew(latest);
		if (latest.children) {
			this.#context.turned?.apply(id, item);
		}
		const { command } = item;
		return Object.assign(shownItem(item), command && { command: this.#commands.shown(id, command) });
	}

	getParent(node: TreeNode): TreeNode | undefined {
		return node.parent && this.#rows.known(node.parent);
	}

	async resolveTreeItem(
		item: vscode.TreeItem,
		node: TreeNode,
		token: vscode.CancellationToken,
	): Promise<vscode.TreeItem> {
		const { tooltip } = this.#rows.latest(node);
		try {
			item.tooltip = (tooltip && (await cancelWith(token, tooltip))) ?? item.tooltip;
		} catch (error) {
			if (!isAbort(error)) {
				item.tooltip = this.#context.problems.explain(error).message;
			}
		}
		return item;
	}

	/** Gives up everything this view is waiting for. */
	cancel(): void {
		this.#running.forEach((abort) => abort.abort());
		// Changes would restart the cancelled load.
		this.#readingAhead.forEach((_, id) => this.#readingAhead.set(id, false));
	}

	/** Reloads everything. With a row, only if it belongs to this view. */
	refresh(node: TreeNode | undefined): void {
		if (!node || this.#rows.find(node.id)) {
			this.again(undefined);
		}
	}

	/** Reloads a row's children, or everything. Ignores rows of other views. */
	again(node: TreeNode | undefined): void {
		if (node && !this.#rows.find(node.id)) {
			return;
		}
		this.#changedMeanwhile = new Set([node]);
		this.#context.source.forget(node && this.#rows.latest(node));
		const changed = this.#changedMeanwhile;
		this.#changedMeanwhile = undefined;
		// One event per row: two redraws mean two loads in sequence, and a cancel of the first would start the second.
		for (const each of changed.has(undefined) ? [undefined] : byId(changed)) {
			this.#redraw(each);
		}
	}

	dispose(): void {
		this.cancel();
		this.#subscriptions.dispose();
		this.#changed.dispose();
	}

	#turned(node: TreeNode, isUnfolded: boolean): void {
		const { id } = node;
		if (isUnfolded) {
			this.#ahead.unfold(id);
		} else {
			this.#ahead.fold(id);
			this.#drawn.folded(id);
		}
		this.#refolded.turned(id, isUnfolded);
		this.#context.turned?.turn(this.#rows.latest(node), isUnfolded);
	}

	/** Runs work with the view's progress and cancel button. */
	async #working<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const abort = new AbortController();
		this.#running.add(abort);
		await this.#tellLoading();
		try {
			return await vscode.window.withProgress({ location: { viewId: this.#context.id } }, () => work(abort.signal));
		} finally {
			this.#running.delete(abort);
			await this.#tellLoading();
		}
	}

	async #read(node: TreeNode | undefined, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const rows = node ? await this.#below(node, signal) : await this.#readTop(signal);
		return rows.map((row) => this.#rows.met(row));
	}

	/** Stores the answer for the editor's next request too, unless something changed meanwhile. */
	async #readAsked(node: TreeNode | undefined, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const begun = (this.#begun += 1);
		const changes = this.#changes;
		const rows = await this.#read(node, signal);
		if (node && changes === this.#changes) {
			this.#ahead.put([{ above: node.id, rows, begun }]);
		}
		return rows;
	}

	/** Loads a row's children and those of all expanded descendants. */
	async #readBranch(node: TreeNode | undefined, signal: AbortSignal): Promise<readonly ReadRows[]> {
		const begun = (this.#begun += 1);
		const rows = await this.#read(node, signal);
		const unfolded = rows.filter((row) => this.#ahead.isUnfolded(row.id) && this.#rows.latest(row).children);
		// After a cancel, the notice is above the expanded rows, which stay unchanged.
		const below = signal.aborted
			? unfolded.map(({ id }) => [{ above: id, rows: this.#rows.shown(id).map((row) => this.#rows.met(row)), begun }])
			: await Promise.all(unfolded.map((row) => this.#readBranch(row, signal)));
		return [{ above: node?.id, rows, begun }, ...below.flat()];
	}

	/** Prefetches visible children, then sends the event. Changes in between trigger a reload. */
	async #readThenTell(node: TreeNode | undefined): Promise<void> {
		const id = node?.id;
		if (this.#readingAhead.has(id)) {
			this.#readingAhead.set(id, true);
			return;
		}
		do {
			this.#readingAhead.set(id, false);
			try {
				const branch = await this.#working((signal) => this.#readBranch(node, signal));
				this.#ahead.put(branch);
				if (!node && this.#rows.isTopAsGiven(branch[0]?.rows ?? [], (row) => this.#look(row))) {
					this.#description.tell();
					continue;
				}
			} catch (error) {
				// The editor asks again and shows the error.
				this.#ahead.drop(id);
				this.#context.problems.log(error);
			}
			await this.#tell(node);
		} while (this.#readingAhead.get(id) === true);
		this.#readingAhead.delete(id);
	}

	async #readTop(signal: AbortSignal): Promise<readonly TreeNode[]> {
		for (const id of this.#rows.begin()) {
			this.#ahead.forget(id);
			this.#aged.forget(id);
			this.#commands.forget(id);
		}
		this.#description.because(undefined);
		if (!(await this.#context.isSignedIn())) {
			this.#rows.forgetShown();
			this.#wasSignedOut = true;
			await this.#state('signedOut');
			return [];
		}
		await this.#state('loading');
		try {
			const rows = await unlessAbandoned(() => this.#context.source.roots(signal), signal);
			this.#rows.show(undefined, rows);
			const work = this.#wasSignedOut ? this.#context.source.firstWork?.(rows) : undefined;
			this.#wasSignedOut = false;
			if (work) {
				this.#context.turned?.turn(work, true);
			}
			await this.#state(rows.length === 0 ? 'empty' : 'ready');
			return rows;
		} catch (error) {
			return await this.#topFailed(error);
		}
	}

	async #topFailed(error: unknown): Promise<readonly TreeNode[]> {
		const isOffline = isForgeError(error) && error.problem.kind === 'unreachable';
		this.#description.because(isAbort(error) ? undefined : this.#context.problems.explain(error).message);
		this.#context.problems.log(error);
		const shown = this.#context.source.isLatestOnly ? [] : this.#rows.shown(undefined);
		if (shown.length > 0) {
			await this.#state('ready');
			return this.#stale(undefined, shown, error);
		}
		await vscode.commands.executeCommand('setContext', `${this.#context.id}.problem`, viewProblem(error));
		await this.#state(isOffline ? 'offline' : 'failed');
		return [];
	}

	async #below(node: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]> {
		try {
			const rows = (await unlessAbandoned(async () => this.#rows.latest(node).children?.(signal), signal)) ?? [];
			this.#rows.show(node.id, rows);
			return rows;
		} catch (error) {
			this.#context.problems.log(error);
			const earlier = this.#rows.shown(node.id);
			return earlier.length > 0 ? this.#stale(node, earlier, error) : [failedRow(node, this.#reasonOf(error))];
		}
	}

	/** Rows of an earlier load below a notice with the reason. */
	#stale(parent: TreeNode | undefined, earlier: readonly TreeNode[], error: unknown): readonly TreeNode[] {
		const id = parent?.id ?? this.#context.id;
		return [noticeRow({ id, parent, error, reason: this.#reasonOf(error), again: parent ?? id }), ...earlier];
	}

	#reasonOf(error: unknown): string {
		return isAbort(error) ? vscode.l10n.t('Cancelled.') : this.#context.problems.explain(error).message;
	}

	#redraw(node: TreeNode | undefined): void {
		this.#changes += 1;
		if (node && !this.#rows.changed(node)) {
			return; // Never shown, so there is nothing to redraw.
		}
		// A row before its first drawing can't have an event; refresh all rows instead.
		const known = node && this.#drawn.isDrawn(node.id) ? this.#rows.known(node) : undefined;
		const answered = known ? undefined : this.#top.changed();
		if (answered) {
			this.#toldTop = Promise.all([this.#toldTop, answered]).then(() => undefined);
			return;
		}
		if (this.#context.view.visible && this.#ahead.isUnfolded(known?.id)) {
			const telling = this.#readThenTell(known);
			this.#toldTop = known ? this.#toldTop : Promise.all([this.#toldTop, telling]).then(() => undefined);
		} else {
			// Invisible children need no prefetch; the editor asks when it needs them.
			this.#ahead.drop(known?.id);
			void this.#tell(known);
		}
	}

	/**
	 * A row from a pending change is unknown to the editor until the event arrives. Open any other row at once: a late
	 * focus change would interrupt the user's typing.
	 */
	async #open(node: TreeNode): Promise<void> {
		if (!this.#rows.isGiven(node.id)) {
			await this.#toldTop;
		}
		await this.#reveal(node, true);
	}

	/** Expands a row again. Revealing a row would open a hidden view. */
	async #unfold(id: string): Promise<void> {
		const row = this.#rows.find(id);
		if (row && this.#context.view.visible) {
			await this.#reveal(row, false);
		}
	}

	/** Expands a row in the editor. Logs refusals. */
	async #reveal(row: TreeNode, takesFocus: boolean): Promise<void> {
		try {
			await this.#context.view.reveal(this.#rows.known(row), { select: takesFocus, focus: takesFocus, expand: true });
		} catch (error) {
			this.#context.problems.log(error);
		}
	}

	/**
	 * With several selected rows, an event for one of them or an ancestor makes the editor draw the following ones as
	 * unselected, but still use them in commands. An event for all rows avoids this.
	 */
	async #tell(node: TreeNode | undefined): Promise<void> {
		const told = this.#selectedCount > 1 ? undefined : node;
		const arrived = this.#answers.arrived(told?.id);
		if (!arrived) {
			this.#refolded.told();
			this.#changed.fire(told);
		} else if (await arrived) {
			await this.#tell(node);
		}
	}

	/** Only the row's own look changed, so keep its known children. */
	#redrawAge(id: string): void {
		const row = this.#rows.find(id);
		if (row && (!this.#drawn.isDrawn(id) || (this.#ahead.isUnfolded(id) && !this.#ahead.isReady(id)))) {
			this.#redraw(row);
		} else if (row) {
			void this.#tell(this.#rows.known(row));
		}
	}

	async #state(state: ViewState): Promise<void> {
		await vscode.commands.executeCommand('setContext', `${this.#context.id}.state`, state);
	}

	async #tellLoading(): Promise<void> {
		await vscode.commands.executeCommand('setContext', `${this.#context.id}.loading`, this.#running.size > 0);
	}
}

/** A row's item for the editor, with hidden characters written out. */
function shownItem(item: vscode.TreeItem): vscode.TreeItem {
	const { label, description, tooltip, accessibilityInformation: spoken, collapsibleState } = item;
	const shown = new vscode.TreeItem(shownLabel(label), collapsibleState);
	const texts = {
		label: shown.label,
		...(typeof description === 'string' && { description: visible(description) }),
		...(typeof tooltip === 'string' && { tooltip: visible(tooltip) }),
		...(spoken && { accessibilityInformation: { ...spoken, label: visible(spoken.label) } }),
	};
	return Object.assign(shown, item, texts);
}

function shownLabel(label: string | vscode.TreeItemLabel | undefined): string | vscode.TreeItemLabel {
	if (typeof label === 'string' || label === undefined) {
		return visible(label ?? '');
	}
	const text = visible(label.label);
	return text === label.label ? label : { label: text };
}
