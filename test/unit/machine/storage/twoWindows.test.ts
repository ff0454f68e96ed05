import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Drafts, DraftSubject } from '../../../../src/store/drafts/drafts.ts';
import { writeJournal, type JournaledWrite, type WriteJournal } from '../../../../src/store/shared/writeJournal.ts';
import type { JournalEntry } from '../../../../src/store/shared/writeRecord.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import { keptListChoices, type ListChoices } from '../../../../src/store/lists/keptListChoices.ts';
import { draftFiles } from '../../../../src/machine/storage/draftFiles.ts';
import { journalFiles, fileTexts, movedText } from '../../../../src/machine/storage/fileTexts.ts';
import { processMark } from '../../../../src/machine/storage/replaceNow.ts';
import { keptDrafts } from '../../../../src/machine/storage/keptDrafts.ts';
import { keptText, steadyStorage } from '../../../../src/machine/storage/editorStorage.ts';
import type { KeptText } from '../../../../src/store/shared/keptText.ts';
import { storedReadMarks, type ReadMarks } from '../../../../src/store/readMarks/storedReadMarks.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeParticipant, makeTicket } from '../../../support/makeTicket.ts';
import { inRounds } from '../../../support/counts.ts';
import { echoingStorage } from '../support/echoingStorage.ts';

/*
 * Two windows on one folder. fast-check’s scheduler chooses the order of their steps, up to four operations each, and
 * prints the seed and the order of a failure.
 */

const tracker = { owner: '~alice', name: 'alpha' };
const rounds = inRounds({ least: 20, small: 150, full: 10_000 });

/** Process ids of the living test windows. */
const livingPids = [process.pid, process.ppid] as const;

let folder: string;

function inFolder(): void {
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'forge-desk-windows-'));
	});
	teardown(() => rmSync(folder, { recursive: true }));
}

function emptyFolder(): void {
	readdirSync(folder).forEach((name) => rmSync(join(folder, name), { recursive: true }));
}

/** A window that can die at any of its steps. */
interface Window {
	readonly pid: number;
	isDead: boolean;
	readonly died: Promise<void>;
	readonly die: () => void;
}

function newWindow(pid: number): Window {
	const { promise, resolve } = Promise.withResolvers<void>();
	const window: Window = {
		pid,
		isDead: false,
		died: promise,
		die() {
			window.isDead = true;
			resolve();
		},
	};
	return window;
}

/** Processes items one by one, each when the scheduler chooses it. */
async function inTurn<T>(
	s: fc.Scheduler,
	things: readonly T[],
	work: (thing: T) => Promise<unknown>,
	where: string,
): Promise<void> {
	for (const thing of things) {
		await s.schedule(Promise.resolve(), `${String(thing)} ${where}`);
		await work(thing);
	}
}

/** Runs the plans of the windows with the given crashes. */
type Run<Operation> = (
	s: fc.Scheduler,
	plans: readonly (readonly Operation[])[],
	crashes: readonly number[],
) => Promise<void>;

/**
 * Runs two windows with up to four operations each and up to two crashes, in many orders of their
 * steps.
 */
async function inAnyOrder<Operation>(operations: readonly Operation[], run: Run<Operation>): Promise<void> {
	const plan = fc.array(fc.constantFrom(...operations), { maxLength: 4 });
	const crashes = fc.array(fc.nat(1), { maxLength: 2 });
	await fc.assert(fc.asyncProperty(fc.scheduler(), fc.tuple(plan, plan), crashes, run), rounds);
}

suite('write journals of two windows', () => {
	inFolder();

	/** A write and its state as users see it. */
	interface Sent {
		readonly title: string;
		/** Its entry was on the disk, so its request may have left. */
		isPersisted: boolean;
		/** Its own window knows the outcome. */
		isEnded: boolean;
		/** Windows that reported it and survived. */
		reports: number;
	}

	interface JournalWindow extends Window {
		readonly journal: WriteJournal;
		readonly open: { readonly sent: Sent; readonly write: JournaledWrite }[];
	}

	const operations = ['begin', 'end', 'settle', 'reload'] as const;
	type Operation = (typeof operations)[number];

	async function survives(
		s: fc.Scheduler,
		plans: readonly (readonly Operation[])[],
		crashes: readonly number[],
	): Promise<void> {
		emptyFolder();
		const all: Sent[] = [];
		const flushes: Promise<unknown>[] = [];
		let offsetMs = 0;
		let names = 0;
		const clock: Clock = { nowMs: () => Date.now() + offsetMs, after: () => ({ dispose: () => undefined }) };

		function openWindow(pid: number): JournalWindow {
			const files = journalFiles(folder, () => true, clock, join(folder, 'aside'), processMark(pid));
			const window = newWindow(pid);
			/** A dead process does nothing more. */
			const alive = async <T>(work: () => T): Promise<T> => (window.isDead ? new Promise<T>(() => undefined) : work());
			const journal = writeJournal(
				{
					...files,
					async write(text) {
						const written = alive(() => files.write(text)).then(() => s.schedule(Promise.resolve(), 'flush'));
						flushes.push(Promise.race([written, window.died]));
						await written;
						await alive(() => undefined);
					},
					adopt: (minAgeMs) =>
						files
							.adopt(minAgeMs)
							.map((file) => ({ ...file, remove: () => (window.isDead ? undefined : file.remove()) })),
				},
				`w${(names += 1)}`,
				clock,
			);
			return Object.assign(window, { journal, open: [] });
		}

		function kill(at: number): void {
			const window = windows[at] ?? assert.fail();
			window.die();
			for (const name of readdirSync(folder)) {
				// Now no process has its id.
				renameSync(join(folder, name), join(folder, name.replace(`.${window.pid}.`, '.0.')));
			}
		}

		async function settle(window: JournalWindow): Promise<void> {
			for (const entry of window.journal.adopted()) {
				await window.journal.handle(entry).arrived();
				window.journal.reported(entry, false);
				sentOf(entry).reports += 1;
			}
		}

		function sentOf({ write }: JournalEntry): Sent {
			return all.find(({ title }) => write.kind === 'newTicket' && write.ticket.title === title) ?? assert.fail();
		}

		async function act(at: number, operation: Operation): Promise<void> {
			const window = windows[at] ?? assert.fail();
			switch (operation) {
				case 'begin': {
					const sent: Sent = { title: `T${all.length}`, isPersisted: false, isEnded: false, reports: 0 };
					all.push(sent);
					const ticket = { title: sent.title, description: '' };
					const write = window.journal.begin({ kind: 'newTicket', tracker, ticket, newestBefore: 0 });
					window.open.push({ sent, write });
					await write.persist();
					sent.isPersisted = true;
					return;
				}
				case 'end': {
					const first = window.open.shift();
					await first?.write.arrived();
					if (first) {
						first.sent.isEnded = true;
					}
					return;
				}
				case 'settle':
					offsetMs += 60_000;
					return settle(window);
				case 'reload':
					// The editor closes the window properly.
					window.die();
					window.journal.dispose();
					windows[at] = openWindow(window.pid);
			}
		}

		const windows = livingPids.map(openWindow);
		await s.waitFor(
			Promise.all([
				...plans.map((plan, at) =>
					inTurn(s, plan, (operation) => Promise.race([act(at, operation), windows[at]?.died]), `in window ${at}`),
				),
				inTurn(
					s,
					crashes,
					async (at) => {
						kill(at);
						windows[at] = openWindow(livingPids[at] ?? 0);
					},
					'crash',
				),
			]),
		);
		livingPids.forEach((_, at) => kill(at));
		const last = openWindow(livingPids[0]);
		await s.waitFor(settle(last));
		await s.waitFor(Promise.all(flushes));
		await Promise.resolve();
		for (const { title, isPersisted, isEnded, reports } of all) {
			assert.ok(!isPersisted || isEnded || reports > 0, `${title} is lost`);
			assert.ok(reports < 2, `${title} is reported ${reports} times`);
		}
		const left = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
		assert.deepEqual(left, []);
	}

	test('lose no write and report none twice, in any order of steps and crashes', async function () {
		this.timeout(600_000);
		await inAnyOrder(operations, survives);
	});
});

suite('drafts of two windows', () => {
	inFolder();

	const about: DraftSubject = { kind: 'comment', connectionKey: 'sample-alice', ref: { tracker, id: 1 } };
	const operations = ['type', 'send', 'beside', 'reload'] as const;
	type Operation = (typeof operations)[number];

	interface DraftWindow extends Window {
		readonly drafts: Drafts;
	}

	async function survives(
		s: fc.Scheduler,
		plans: readonly (readonly Operation[])[],
		crashes: readonly number[],
	): Promise<void> {
		emptyFolder();
		const flushes: Promise<unknown>[] = [];
		/** Texts that must exist at the end, with their windows. */
		const wanted = new Map<string, DraftWindow | undefined>();
		/** Texts that a surviving window sent. */
		const sent = new Set<string>();
		let count = 0;

		function openWindow(): DraftWindow {
			const window = newWindow(0);
			const files = draftFiles(folder);
			const stepped = {
				...files,
				async flush(name: string) {
					const flushed = files.flush(name).then(() => s.schedule(Promise.resolve(), 'flush'));
					flushes.push(flushed);
					await flushed;
					await (window.isDead ? new Promise<never>(() => undefined) : undefined);
				},
			};
			return Object.assign(window, { drafts: keptDrafts(stepped, `w${(count += 1)}`) });
		}

		/** Removes texts that a newer one replaces. */
		function supersede(isOld: (text: string, by: DraftWindow | undefined) => boolean): void {
			[...wanted].filter(([text, by]) => isOld(text, by)).forEach(([text]) => wanted.delete(text));
		}

		async function act(at: number, operation: Operation): Promise<void> {
			const window = windows[at] ?? assert.fail();
			const { drafts } = window;
			const shown = drafts.draft(about)?.text ?? '';
			switch (operation) {
				case 'type': {
					const text = `${shown}${String.fromCodePoint(97 + (count += 1))}`;
					supersede((old, by) => by === window || text.startsWith(old));
					wanted.set(text, window);
					return drafts.keep(about, { text, atMs: count });
				}
				case 'send': {
					supersede((old, by) => by === window || shown.startsWith(old));
					await drafts.keep(about, { text: '', atMs: count });
					if (shown !== '' && !wanted.has(shown)) {
						sent.add(shown);
					}
					return;
				}
				case 'beside': {
					const text = `tool ${(count += 1)}`;
					wanted.set(text, undefined);
					await drafts.keepBeside(about, { text, atMs: count });
					return;
				}
				case 'reload':
					window.die();
					windows[at] = openWindow();
			}
		}

		const windows = [openWindow(), openWindow()];
		const kill = (at: number): void => {
			windows[at]?.die();
			windows[at] = openWindow();
		};
		await s.waitFor(
			Promise.all([
				...plans.map((plan, at) =>
					inTurn(s, plan, (operation) => Promise.race([act(at, operation), windows[at]?.died]), `in window ${at}`),
				),
				inTurn(s, crashes, async (at) => kill(at), 'crash'),
			]),
		);
		await s.waitFor(Promise.all(flushes));
		const texts = openWindow()
			.drafts.all()
			.map(({ draft }) => draft.text);
		for (const text of wanted.keys()) {
			assert.ok(
				texts.some((each) => each.startsWith(text)),
				`"${text}" is lost: ${texts.join(', ')}`,
			);
		}
		for (const text of sent) {
			assert.ok(!texts.includes(text), `"${text}" was sent and is a draft: ${texts.join(', ')}`);
		}
	}

	test('lose no text and keep no sent text, in any order of steps and crashes', async function () {
		this.timeout(600_000);
		await inAnyOrder(operations, survives);
	});
});

suite('choices and read marks of two windows', () => {
	inFolder();

	const operations = ['confirm', 'look', 'wait', 'reload'] as const;
	type Operation = (typeof operations)[number];

	interface ChoiceWindow extends Window {
		readonly choices: ListChoices;
		readonly marks: ReadMarks;
		/** Seen but not yet written. */
		readonly looked: Ticket[];
	}

	async function survives(
		s: fc.Scheduler,
		plans: readonly (readonly Operation[])[],
		crashes: readonly number[],
	): Promise<void> {
		emptyFolder();
		const editor = echoingStorage(() => s.schedule(Promise.resolve(), 'storage'));
		const clock = fakeClock();
		const texts = fileTexts(folder, () => true, clock);
		const confirmed: ListRef[] = [];
		const written: Ticket[] = [];
		let count = 0;

		function openWindow(): ChoiceWindow {
			const window = newWindow(0);
			const storage = steadyStorage(editor.window());
			const place = (kind: string): KeptText => movedText(texts.of(kind, 'sample'), keptText(storage, kind, 'sample'));
			const inTime = {
				...clock,
				after: (ms: number, work: () => void) => clock.after(ms, () => window.isDead || work()),
			};
			const marks = storedReadMarks(place('looks'), '~alice', inTime);
			return Object.assign(window, { choices: keptListChoices(place('lists-shown')), marks, looked: [] });
		}

		async function act(at: number, operation: Operation): Promise<void> {
			const window = windows[at] ?? assert.fail();
			switch (operation) {
				case 'confirm': {
					const list = { owner: '~alice', name: `list${(count += 1)}` };
					await window.choices.keepPosting(list, `${list.name}@forge.test`);
					confirmed.push(list);
					return;
				}
				case 'look': {
					const updatedMs = clock.nowMs() + 1000;
					const ticket = makeTicket({
						id: (count += 1),
						createdMs: updatedMs,
						updatedMs,
						submitter: makeParticipant(),
					});
					window.marks.look(ticket, undefined);
					window.looked.push(ticket);
					return;
				}
				case 'wait':
					clock.advance(400);
					written.push(...windows.flatMap(({ looked }) => looked.splice(0)));
					return;
				case 'reload':
					window.marks.dispose();
					written.push(...window.looked.splice(0));
					reopen(at);
			}
		}

		const reopen = (at: number): void => {
			windows[at]?.die();
			windows[at] = openWindow();
		};
		const windows = [openWindow(), openWindow()];
		windows[0]?.marks.see(tracker, () => []);
		clock.advance(400);
		await s.waitFor(
			Promise.all([
				...plans.map((plan, at) =>
					inTurn(s, plan, (operation) => Promise.race([act(at, operation), windows[at]?.died]), `in window ${at}`),
				),
				inTurn(s, crashes, async (at) => reopen(at), 'crash'),
			]),
		);
		const last = openWindow();
		for (const list of confirmed) {
			assert.equal(last.choices.posting(list), `${list.name}@forge.test`);
		}
		assert.deepEqual(
			written.filter((ticket) => last.marks.mark(ticket) !== undefined).map(({ id }) => id),
			[],
		);
	}

	test('lose no confirmed address and no read mark, whatever another window writes', async function () {
		this.timeout(600_000);
		await inAnyOrder(operations, survives);
	});
});
