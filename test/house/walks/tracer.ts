import { channel } from 'node:diagnostics_channel';
import { console as toInspector, Session, type Profiler, type Runtime } from 'node:inspector';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { root } from '../../harness/places.ts';
import type { Moment, Run, Trace } from './walkFigures.ts';

/** A statement that reports a moment to the tracer, for sources without an event. */
interface Planted {
	/** `packages/patchmail/src/patch/parseDiff.ts` */
	readonly file: string;
	/** The statement follows this text. The file must contain it exactly once. */
	readonly behind: string;
	readonly moment: Moment['name'];
	/** An expression for `Moment.about`. */
	readonly about: string;
}

/** The text with the statement, and the same lines. */
export function plantedIn(text: string, { file, behind, moment, about }: Planted): string {
	const [before, after, ...more] = text.split(behind);
	if (before === undefined || after === undefined || more.length > 0) {
		throw new Error(`${file} does not have once: ${behind}`);
	}
	return `${before}${behind} globalThis[Symbol.for('forgeDesk.walks')]?.(${JSON.stringify(moment)}, ${about});${after}`;
}

export interface Tracer {
	/** Notes the files on the asynchronous stack. Does nothing outside of a walk. */
	readonly mark: (name: Moment['name'], about: string) => void;
	readonly trace: (walk: () => Promise<void>) => Promise<Trace>;
}

/** Call it before the first source is loaded, because it plants statements in some. */
export function openTracer(planted: readonly Planted[]): Tracer {
	const base = `${pathToFileURL(root).href}/`;
	const session = new Session();
	session.connect();
	let moments: Moment[] | undefined;
	let stack: Runtime.StackTrace | undefined;
	session.on('Runtime.consoleAPICalled', ({ params }) => {
		stack = params.stackTrace;
	});
	session.post('Runtime.enable');
	session.post('Debugger.enable');
	session.post('Debugger.setAsyncCallStackDepth', { maxDepth: 256 });
	session.post('Profiler.enable');

	function mark(name: Moment['name'], about: string): void {
		if (moments) {
			stack = undefined;
			toInspector.log(name);
			moments.push({ name, about, files: filesOf(stack) });
		}
	}

	/** The sources on a stack and on its asynchronous parents. */
	function filesOf(first: Runtime.StackTrace | undefined): readonly string[] {
		const files = new Set<string>();
		for (let at = first; at; at = at.parent ?? stackBehind(session, at.parentId)) {
			for (const { url } of at.callFrames) {
				const file = sourceOf(url, base);
				if (file !== undefined) {
					files.add(file);
				}
			}
		}
		return [...files];
	}

	registerHooks({
		load(url, context, next) {
			const loaded = next(url, context);
			const plants = planted.filter(({ file }) => `${base}${file}` === url);
			return plants.length === 0
				? loaded
				: { ...loaded, source: plants.reduce(plantedIn, readFileSync(new URL(url), 'utf8')) };
		},
	});
	Reflect.set(globalThis, Symbol.for('forgeDesk.walks'), mark);
	channel('undici:request:create').subscribe(() => mark('request', ''));

	return {
		mark,
		async trace(walk) {
			session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
			covered(session);
			const seen: Moment[] = [];
			moments = seen;
			await walk();
			moments = undefined;
			const runs = covered(session).flatMap(({ url, functions }) => runOf(url, functions, base));
			session.post('Profiler.stopPreciseCoverage');
			return { moments: seen, runs };
		},
	};
}

/** Calls since the last time. */
function covered(session: Session): readonly Profiler.ScriptCoverage[] {
	let result: readonly Profiler.ScriptCoverage[] = [];
	session.post('Profiler.takePreciseCoverage', (error, taken) => {
		if (error) {
			throw error;
		}
		result = taken.result;
	});
	return result;
}

/** The called functions of one source, without the statements that run as it is loaded. */
function runOf(url: string, functions: readonly Profiler.FunctionCoverage[], base: string): readonly Run[] {
	const file = sourceOf(url, base);
	return file === undefined
		? []
		: functions.flatMap(({ functionName, ranges: [range] }) =>
				range && range.count > 0 && !(functionName === '' && range.startOffset === 0)
					? [{ file, name: functionName, calls: range.count }]
					: [],
			);
}

function sourceOf(url: string, base: string): string | undefined {
	const file = url.startsWith(base) ? url.slice(base.length) : '';
	return /^(?:src|packages\/(?!sample-forge\/)[^/]+\/src)\//.test(file) ? file : undefined;
}

function stackBehind(session: Session, id: Runtime.StackTraceId | undefined): Runtime.StackTrace | undefined {
	let behind: Runtime.StackTrace | undefined;
	if (id) {
		session.post('Debugger.getStackTrace', { stackTraceId: id }, (error, found) => {
			behind = error ? undefined : found.stackTrace;
		});
	}
	return behind;
}
