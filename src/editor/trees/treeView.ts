import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { unlessAbandoned } from '@forge-desk/base/sharedFlights.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { visible } from '../../engine/text/visible.ts';
import { withCancellation } from '../ask/withCancellation.ts';
import { agedRows } from './agedRows.ts';
import { knownRows, type ReadRows } from './knownRows.ts';
import { failedRow, noticeRow } from './noticeRow.ts';
import { reexpandGuard } from './reexpandGuard.ts';
import { rowCommands } from './rowCommands.ts';
import type { TreeNode } from './treeNode.ts';
import type { ViewState } from '../../commands/viewIds.ts';
import { viewProblem } from './viewProblem.ts';
import type { TreeContext, TreeNote } from './treeSource.ts';

/** Limit for a root that changes constantly. */
const mostReads = 3;

/** A load of the rows below a row, until the editor received them. */
interface Load {
	readonly node: TreeNode | undefined;
	/** True if the row changed meanwhile. The change event waits for the end of the load. */
	isOld: boolean;
	isCancelled: boolean;
	readonly ended: PromiseWithResolvers<void>;
}

/**
 * Tree data provider for a source: progress, cancel, error rows or welcome text, and retry. The id identifies a row, so
 * a redraw keeps selection and expansion.
 *
 * A change waits until no load of its rows is under way. Then visible rows reload, and the event goes out.
 */
export class ForgeTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
	readonly #context: TreeContext;
	readonly #rows: ReturnType<typeof knownRows>;
	readonly #running = new Set<AbortController>();
	readonly #changed = new Emitter<TreeNode | undefined>();
	readonly #subscriptions = new Disposables();
	readonly #description: ReturnType<typeof viewDescription>;
	readonly #aged: ReturnType<typeof agedRows>;
	readonly #reexpandGuard: ReturnType<typeof reexpandGuard>;
	readonly commands: ReturnType<typeof rowCommands>;
	/** Ids of changed rows. */
	readonly #queue = new Set<string | undefined>();
	readonly #loads = new Set<Load>();
	/** Ids of rows whose last load failed; `undefined` is the root. */
	readonly #failed = new Set<string | undefined>();
	/** From the editor's last event: during a full reload, the view reports an empty selection. */
	#selectedCount: number;
	#wasSignedOut = false;
	/** True while the source clears its cache: it may report one row twice, which would mean two loads in sequence. */
	#isForgetting = false;
	/** Counts changes of any row. */
	#changes = 0;
	readonly onDidChangeTreeData = this.#changed.event;

	constructor(context: TreeContext) {
		this.#context = context;
		const { view, clock } = context;
		this.#rows = knownRows(clock);
		this.commands = this.#subscriptions.add(rowCommands(context.id, view, clock));
		this.#selectedCount = view.selection.length;
		this.#subscriptions.add(view.onDidChangeSelection(({ selection }) => (this.#selectedCount = selection.length)));
		this.#aged = this.#subscriptions.add(agedRows(view, clock, (id) => this.#redrawAge(id)));
		this.#reexpandGuard = this.#subscriptions.add(
			reexpandGuard(
				clock,
				(id) => this.#unfold(id),
				(until) => void this.#working(() => until),
			),
		);
		this.#subscriptions.add(context.source.onDidChange((node) => this.#redraw(node)));
		this.#subscriptions.add(view.onDidExpandElement(({ element }) => this.#turned(element, true)));
		this.#subscriptions.add(view.onDidCollapseElement(({ element }) => this.#turned(element, false)));
		const { note, onDidOpen } = context.source;
		this.#description = this.#subscriptions.add(viewDescription(view, note));
		if (onDidOpen) {
			this.#subscriptions.add(onDidOpen((node) => void this.#open(node)));
		}
	}

	async getChildren(node?: TreeNode): Promise<TreeNode[]> {
		const settled = this.#reexpandGuard.asked();
		const load = this.#begin(node);
		const { ahead, delivered: answered } = this.#rows.requested(node?.id);
		let rows = ahead;
		try {
			rows ??= await this.#working((signal) => this.#readAsked(load, signal));
			return [...rows];
		} finally {
			answered(rows);
			this.#description.tell();
			settled();
			void this.#arrived(load);
		}
	}

	getTreeItem(node: TreeNode): vscode.TreeItem {
		return this.#rows.rendered(node, this.#look(node));
	}

	#look(node: TreeNode): vscode.TreeItem {
		const latest = this.#rows.latest(node);
		const { item, id } = latest;
		item.id = id;
		this.#aged.rendered(latest);
		if (latest.children) {
			this.#context.turned?.apply(id, item);
		}
		return Object.assign(shownItem(item), item.command && { command: this.commands.shown(id, item.command) });
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
			item.tooltip = (tooltip && (await withCancellation(token, tooltip))) ?? item.tooltip;
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
		this.#loads.forEach((load) => (load.isCancelled = true));
	}

	/** Reloads everything. With a row, only if it belongs to this view. */
	refresh(node: TreeNode | undefined): void {
		if (!node || this.#rows.find(node.id)) {
			this.again(undefined);
		}
	}

	/** Reloads a row's children, or everything. Ignores rows of other views. */
	again(node: TreeNode | undefined): void {
		const row = node && this.#rows.find(node.id);
		if (!node || row) {
			this.#isForgetting = true;
			this.#context.source.forget(row);
			this.#isForgetting = false;
			this.#redraw(row && this.#rows.latest(row));
		}
	}

	/** Reloads the failed rows: a new token may read them. */
	tokenReplaced(): void {
		const failed = [...this.#failed];
		this.#failed.clear();
		failed.forEach((id) => this.again(id === undefined ? undefined : this.#rows.find(id)));
	}

	dispose(): void {
		this.cancel();
		this.#subscriptions.dispose();
		this.#changed.dispose();
	}

	#turned(node: TreeNode, isUnfolded: boolean): void {
		const { id } = node;
		this.#rows.turn(id, isUnfolded);
		this.#reexpandGuard.turned(id, isUnfolded);
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

	/** Stores a row's answer for the editor's next request too, unless something changed meanwhile. */
	async #readAsked(load: Load, signal: AbortSignal, mayRead = mostReads): Promise<readonly TreeNode[]> {
		const { node } = load;
		const changes = this.#changes;
		const rows = await this.#read(node, signal);
		if (node && (signal.aborted || changes === this.#changes)) {
			this.#rows.put([{ above: node.id, rows, changes }]);
		}
		// An event right after the answer would make the editor drop visible rows, and a row expanded at that moment
		// would look empty.
		if (node || !load.isOld || mayRead === 1 || signal.aborted) {
			return rows;
		}
		load.isOld = false;
		return await this.#readAsked(load, signal, mayRead - 1);
	}

	#begin(node: TreeNode | undefined): Load {
		const load = { node, isOld: false, isCancelled: false, ended: Promise.withResolvers<void>() };
		this.#loads.add(load);
		return load;
	}

	/** Loads of the rows below these rows. */
	#loadsOf(...ids: readonly (string | undefined)[]): readonly Load[] {
		return [...this.#loads].filter(({ node }) => ids.includes(node?.id));
	}

	/** True if the rows are being loaded. Their change follows then. */
	#isFollowing(id: string | undefined): boolean {
		const loads = this.#loadsOf(id);
		// A change after a cancel counts.
		loads.forEach((load) => Object.assign(load, { isOld: true, isCancelled: false }));
		if (loads.length > 0) {
			// The root stands for undrawn rows below it, too.
			this.#rows.drop(id);
		}
		return loads.length > 0;
	}

	/**
	 * Ends a load when the editor has the answer. If a change event overtook it, the editor would take the answer for
	 * the new state and never ask again. It would lose the change and its cleared children would stay cleared, so an
	 * expanded row would look empty.
	 */
	async #arrived(load: Load): Promise<void> {
		// Messages keep their order. The request precedes the answer on the wire; only the second round trip follows it.
		await this.#tellLoading();
		await this.#tellLoading();
		this.#end(load);
	}

	#end(load: Load): void {
		this.#loads.delete(load);
		if (load.isOld && !load.isCancelled) {
			this.#announce(load.node);
		} else if (load.isOld && load.node) {
			// Without a new load, only the row's own look is new.
			this.#tell(load.node);
		}
		load.ended.resolve();
	}

	/** Loads a row's children and those of all expanded descendants. */
	async #readBranch(node: TreeNode | undefined, signal: AbortSignal): Promise<readonly ReadRows[]> {
		const changes = this.#changes;
		const rows = await this.#read(node, signal);
		const unfolded = rows.filter((row) => this.#rows.isUnfolded(row.id) && this.#rows.latest(row).children);
		// After a cancel, the notice is above the expanded rows, which stay unchanged.
		const below = signal.aborted
			? unfolded.map(({ id }) => [{ above: id, rows: this.#rows.shown(id).map((row) => this.#rows.met(row)), changes }])
			: await Promise.all(unfolded.map((row) => this.#readBranch(row, signal)));
		return [{ above: node?.id, rows, changes }, ...below.flat()];
	}

	/** Prefetches visible children, then sends the event: the editor drops them at the event until it gets the answer. */
	async #readThenTell(node: TreeNode | undefined): Promise<void> {
		const load = this.#begin(node);
		let isSame = false;
		try {
			const branch = await this.#working((signal) => this.#readBranch(node, signal));
			this.#rows.put(branch);
			isSame = !node && this.#rows.isTopAsGiven(branch[0]?.rows ?? [], (row) => this.#look(row));
		} catch (error) {
			// The editor asks again and shows the error.
			this.#rows.drop(node?.id);
			this.#context.problems.log(error);
		}
		this.#loads.delete(load);
		if (isSame) {
			this.#description.tell();
		} else {
			this.#tell(node);
		}
		this.#end(load);
	}

	async #readTop(signal: AbortSignal): Promise<readonly TreeNode[]> {
		for (const id of this.#rows.begin()) {
			this.#aged.forget(id);
			this.commands.forget(id);
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
			this.#failed.delete(undefined);
			const work = this.#wasSignedOut ? this.#context.source.firstWork?.(rows) : undefined;
			this.#wasSignedOut = false;
			if (work) {
				this.#context.turned?.turn(work, true);
			}
			await this.#state(rows.length === 0 ? 'empty' : 'ready');
			return rows;
		} catch (error) {
			this.#failed.add(undefined);
			this.#description.because(isAbort(error) ? undefined : this.#context.problems.explain(error).message);
			this.#context.problems.log(error);
			const shown = this.#context.source.isLatestOnly ? [] : this.#rows.shown(undefined);
			if (shown.length > 0) {
				await this.#state('ready');
				return this.#stale(undefined, shown, error);
			}
			const isOffline = isForgeError(error) && error.problem.kind === 'unreachable';
			await vscode.commands.executeCommand('setContext', `${this.#context.id}.problem`, viewProblem(error));
			await this.#state(isOffline ? 'offline' : 'failed');
			return [];
		}
	}

	async #below(node: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]> {
		try {
			const rows = (await unlessAbandoned(async () => this.#rows.latest(node).children?.(signal), signal)) ?? [];
			this.#rows.show(node.id, rows);
			this.#failed.delete(node.id);
			return rows;
		} catch (error) {
			this.#failed.add(node.id);
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
		this.#queue.add(node?.id);
		if (this.#isForgetting) {
			return;
		}
		const rows = Array.from(this.#queue, (id) => (id === undefined ? undefined : this.#rows.find(id)));
		this.#queue.clear();
		const isAll = rows.some((row) => !this.#target(row));
		(isAll ? [undefined] : rows).forEach((row) => this.#announce(row));
	}

	/** The editor's object for a row with an event. A row before its first drawing can't have one; refresh all rows instead. */
	#target(row: TreeNode | undefined): TreeNode | undefined {
		return row && this.#rows.isDrawn(row.id) ? this.#rows.known(row) : undefined;
	}

	/** Sends the event for a changed row, after the loads that it needs or that are under way. */
	#announce(row: TreeNode | undefined): void {
		const node = this.#target(row);
		if (this.#isFollowing(node?.id)) {
			return;
		}
		if (this.#context.view.visible && this.#rows.isUnfolded(node?.id)) {
			void this.#readThenTell(node);
		} else {
			// Invisible children need no prefetch; the editor asks when it needs them.
			this.#rows.drop(node?.id);
			this.#tell(node);
		}
	}

	/**
	 * A row from a pending change is unknown to the editor until the event arrives. The view takes the keyboard at once,
	 * and a late row is only selected: the user may type elsewhere by then, and the editor hides open boxes.
	 */
	async #open(node: TreeNode, isLate = false): Promise<void> {
		const [load] = this.#rows.isGiven(node.id) ? [] : this.#loadsOf(undefined, node.parent?.id);
		if (load && !isLate) {
			await vscode.commands.executeCommand(`${this.#context.id}.focus`);
		}
		await load?.ended.promise;
		return load ? this.#open(node, true) : this.#reveal(node, { select: true, focus: !isLate });
	}

	/** Expands a row again. Revealing a row would open a hidden view. */
	async #unfold(id: string): Promise<void> {
		const row = this.#rows.find(id);
		return row && this.#context.view.visible ? this.#reveal(row, { select: false, focus: false }) : undefined;
	}

	/** Expands a row in the editor. Logs refusals. */
	async #reveal(row: TreeNode, how: { readonly select: boolean; readonly focus: boolean }): Promise<void> {
		try {
			await this.#context.view.reveal(this.#rows.known(row), { ...how, expand: true });
		} catch (error) {
			this.#context.problems.log(error);
		}
	}

	/**
	 * With several selected rows, an event for one of them or an ancestor makes the editor draw the following ones as
	 * unselected, but still use them in commands. An event for all rows avoids this.
	 */
	#tell(node: TreeNode | undefined): void {
		const told = this.#selectedCount > 1 ? undefined : this.#target(node);
		if (!this.#isFollowing(told?.id)) {
			this.#reexpandGuard.told();
			this.#changed.fire(told);
		}
	}

	/** Only the row's own look changed, so keep its known children. False while they load. */
	#redrawAge(id: string): boolean {
		const row = this.#rows.find(id);
		if (row && (!this.#rows.isDrawn(id) || (this.#rows.isUnfolded(id) && !this.#rows.isAhead(id)))) {
			this.#redraw(row);
		} else if (row && this.#loadsOf(id).length > 0) {
			return false;
		} else if (row) {
			this.#tell(this.#rows.known(row));
		}
		return true;
	}

	async #state(state: ViewState): Promise<void> {
		await vscode.commands.executeCommand('setContext', `${this.#context.id}.state`, state);
	}

	async #tellLoading(): Promise<void> {
		await vscode.commands.executeCommand('setContext', `${this.#context.id}.loading`, this.#running.size > 0);
	}
}

/**
 * A row's item for the editor, with hidden characters written out. The name of every row is ours: the editor's own ends
 * in a blank if the row has no description.
 */
function shownItem(item: vscode.TreeItem): vscode.TreeItem {
	const { label = '', description, tooltip, accessibilityInformation: spoken, collapsibleState } = item;
	const text = visible(typeof label === 'string' ? label : label.label);
	const shown = new vscode.TreeItem(
		typeof label === 'string' ? text : text === label.label ? label : { label: text },
		collapsibleState,
	);
	const about = typeof description === 'string' ? visible(description) : '';
	// The editor's own name of a row with a tooltip is the tooltip, and of one without a label its file.
	const isNamed = spoken !== undefined || (typeof tooltip !== 'string' && text !== '');
	const name = (spoken ? visible(spoken.label) : `${text} ${about}`).trim();
	const texts = {
		label: shown.label,
		...(typeof description === 'string' && { description: about }),
		...(typeof tooltip === 'string' && { tooltip: visible(tooltip) }),
		...(isNamed && { accessibilityInformation: { ...spoken, label: name } }),
	};
	return Object.assign(shown, item, texts);
}

/**
 * Text beside a view's title: the error of the last root load, otherwise a short text about the rows. A view's message
 * is no alternative, because the editor then hides the welcome text.
 */
function viewDescription(view: vscode.TreeView<TreeNode>, note: TreeNote | undefined) {
	let reason: string | undefined;

	function tell(): void {
		const text = reason ?? note?.text() ?? '';
		if (view.description !== text) {
			view.description = text;
		}
	}

	const listening = note?.onDidChange(tell);
	return {
		/** Error of the root; `undefined` after success or during a load. */
		because(next: string | undefined) {
			reason = next;
			tell();
		},
		/** Rows appeared; update the text. */
		tell,
		dispose: () => void listening?.dispose(),
	};
}
