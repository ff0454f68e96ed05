import assert from 'node:assert/strict';
import { archivedFrom, firstMailOfFormed, formedPatchsetId, numbersOfMinute } from 'patchmail/series/listedPatchset.ts';
import { mailNumbers, type KeptNumbers, type NumberedMail } from '../../src/port/mailNumbers.ts';

const nowMs = Date.UTC(2026, 4, 20);
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Numbers of all windows, as a file keeps them. */
function store(...kept: readonly NumberedMail[]): KeptNumbers & { readonly all: readonly NumberedMail[] } {
	const all = [...kept];
	return { all, read: () => all, add: (mail) => void all.push(mail) };
}

function row(name: string, dateMs: number | undefined) {
	return { messageId: `<${name}@x>`, dateMs };
}

suite('numbers of archived mails', () => {
	const mail = { inbox: 'devel', messageId: '<a@a.example>' };

	const atMs = Date.UTC(2026, 3, 1, 12, 30, 10);
	const fresh = (kept?: KeptNumbers) => mailNumbers(kept, () => nowMs);

	test('a number is the same everywhere, and differs for a second text', () => {
		const number = fresh().numberOf(mail, atMs);
		assert.equal(fresh().numberOf({ ...mail, inbox: 'other' }, atMs + 20_000), number);
		assert.notEqual(fresh().numberOf({ ...mail, text: 'abc' }, atMs), number);
		assert.ok(number >= archivedFrom && Number.isSafeInteger(formedPatchsetId(number)));
	});

	test('numbers rise with the minute, and a mail from the future has the number of now', () => {
		const numbers = fresh();
		const all = [0, atMs, atMs + 60_000, Date.UTC(2030, 0)].map((dateMs, at) =>
			numbers.numberOf({ ...mail, messageId: `<${at}@a.example>` }, dateMs),
		);
		assert.deepEqual(
			all.toSorted((one, other) => one - other),
			all,
		);
		assert.ok((all[3] ?? 0) < numbers.numberOf({ ...mail, messageId: '<n@a.example>' }, nowMs) + numbersOfMinute);
	});

	test('two mails with the hash of one minute get two numbers, and a kept number stays', () => {
		const number = fresh().numberOf(mail, atMs);
		const kept = store({ ...mail, messageId: '<other@a.example>', number });
		assert.equal(fresh(kept).numberOf(mail, atMs), number + 1);
		assert.equal(fresh(kept).numberOf(mail, 0), number + 1);
		assert.equal(fresh(kept).mailOf(number + 1)?.messageId, mail.messageId);
	});

	test('a number of another window is found', () => {
		const kept = store();
		const [one, other] = [fresh(kept), fresh(kept)];
		const number = one.numberOf(mail, atMs);
		assert.equal(other.mailOf(number)?.messageId, mail.messageId);
		assert.equal(other.mailOf(number + 1), undefined);
	});

	test('no number of an archive is taken for a patchset that the client formed', () => {
		const number = fresh().numberOf(mail, atMs);
		assert.equal(firstMailOfFormed(number), undefined);
		for (const each of [1, 31, 4_000_000, archivedFrom, number, archivedFrom + 2 ** 51 - 1]) {
			assert.equal(firstMailOfFormed(formedPatchsetId(each)), each);
		}
	});
});

suite('numbers of late mails', () => {
	const fresh = (kept?: KeptNumbers) => mailNumbers(kept, () => nowMs);
	const numbered = (numbers: ReturnType<typeof fresh>, name: string, dateMs: number) =>
		numbers.numberOf({ inbox: 'devel', messageId: `<${name}@x>` }, dateMs);

	test('lie above those of all mails that came before', () => {
		const numbers = fresh();
		const known = numbered(numbers, 'known', nowMs - minuteMs);
		const older = numbered(numbers, 'older', nowMs - 2 * dayMs);
		numbers.arrived('devel', [
			row('next', nowMs - 2 * dayMs),
			row('late', nowMs - 2 * dayMs),
			row('older', nowMs - 2 * dayMs),
			row('known', nowMs - minuteMs),
		]);
		const [late, next] = [numbered(numbers, 'late', 0), numbered(numbers, 'next', 0)];
		assert.deepEqual([late, next], [known + 1, known + 2]);
		assert.ok(older < known);
	});

	test('follow the date of mails that are not late, older than three days, or below all known ones', () => {
		const cases: readonly (readonly [string, number, readonly ReturnType<typeof row>[]])[] = [
			['newer', nowMs, [row('newer', nowMs), row('known', 0)]],
			['old', nowMs - 3 * dayMs, [row('old', nowMs - 3 * dayMs), row('known', 0)]],
			['below', nowMs - dayMs, [row('known', 0), row('below', nowMs - dayMs)]],
			['undated', 0, [row('undated', undefined), row('known', 0)]],
			['alone', nowMs - dayMs, [row('alone', nowMs - dayMs)]],
		];
		for (const [name, dateMs, rows] of cases) {
			const numbers = fresh();
			numbered(numbers, 'known', nowMs - minuteMs);
			numbers.arrived('devel', rows);
			assert.equal(numbered(numbers, name, dateMs), numbered(fresh(), name, dateMs), name);
		}
		const numbers = fresh();
		const known = numbered(numbers, 'known', nowMs - minuteMs);
		// Just within three days.
		numbers.arrived('devel', [row('late', nowMs - 3 * dayMs + 1), row('known', 0)]);
		assert.equal(numbered(numbers, 'late', 0), known + 1);
	});

	test('stay those of another window with more knowledge', () => {
		const kept = store();
		const [one, other] = [fresh(kept), fresh(kept)];
		numbered(other, 'known', nowMs - minuteMs);
		const rows = [row('late', nowMs - dayMs), row('known', nowMs - minuteMs)];
		numbered(one, 'known', nowMs - minuteMs);
		one.arrived('devel', rows);
		other.arrived('devel', rows);
		assert.equal(numbered(other, 'late', nowMs - dayMs), numbered(one, 'late', nowMs - dayMs));
		assert.equal(kept.all.filter(({ messageId }) => messageId === '<late@x>').length, 1);
	});

	test('are the first kept ones in all windows, if two windows numbered a mail', () => {
		const kept = store();
		const [one, other] = [fresh(kept), fresh(kept)];
		numbered(one, 'known', nowMs - minuteMs);
		one.arrived('devel', [row('late', nowMs - dayMs), row('known', nowMs - minuteMs)]);
		const first = numbered(one, 'late', nowMs - dayMs);
		assert.notEqual(numbered(other, 'late', nowMs - dayMs), first);
		// Another number makes the window read the kept ones.
		one.mailOf(1);
		assert.equal(numbered(one, 'late', nowMs - dayMs), first);
		assert.equal(numbered(fresh(kept), 'late', nowMs - dayMs), first);
	});

	test('of a list with nothing new or nothing known cost no reading of kept ones', () => {
		let reads = 0;
		const numbers = fresh({
			add: () => undefined,
			read() {
				reads += 1;
				return [];
			},
		});
		numbers.arrived('devel', [row('a', nowMs), row('b', nowMs)]);
		numbered(numbers, 'a', nowMs);
		numbers.arrived('devel', [row('a', nowMs)]);
		assert.notEqual(numbers.mailOf(numbered(numbers, 'a', nowMs)), undefined);
		assert.equal(reads, 1);
		numbers.arrived('devel', [row('b', nowMs), row('a', nowMs)]);
		assert.equal(reads, 2);
	});
});

suite('kept numbers', () => {
	test('never lead to two mails, and follow a mail to its last inbox', () => {
		const [first, second] = ['<a@x>', '<b@x>'].map((messageId) => ({
			inbox: 'devel',
			messageId,
			number: archivedFrom + 5,
		}));
		const numbers = mailNumbers(store(first!, second!), () => nowMs);
		assert.equal(numbers.mailOf(first!.number)?.messageId, '<a@x>');
		assert.notEqual(numbers.numberOf({ inbox: 'devel', messageId: '<b@x>' }, 0), first!.number);
		assert.equal(numbers.numberOf({ inbox: 'other', messageId: '<a@x>' }, nowMs), first!.number);
		assert.equal(numbers.mailOf(first!.number)?.inbox, 'other');
	});

	test('fill the minute of the mail and stay inside it', () => {
		for (const minutes of [0, 1, 29_000_000]) {
			for (const name of ['a', 'b', 'c']) {
				const number = mailNumbers(undefined, () => nowMs).numberOf(
					{ inbox: 'devel', messageId: name },
					minutes * minuteMs + 59_999,
				);
				assert.equal(Math.floor((number - archivedFrom) / numbersOfMinute), minutes);
			}
		}
		// Before 1970.
		const number = mailNumbers(undefined, () => nowMs).numberOf({ inbox: 'devel', messageId: 'a' }, -dayMs);
		assert.ok(number >= archivedFrom && number < archivedFrom + numbersOfMinute);
	});
});
