import { check } from './checks.ts';

/** State of a forge, as plain data by part. Parts share the same objects after a restart, too. */
export type State = ReturnType<typeof createState>;

/** `kept`: the parts of an earlier process. */
export function createState(kept: Readonly<Record<string, object>> = {}) {
	const parts: Record<string, object> = {};
	return {
		parts,
		isNew: Object.keys(kept).length === 0,
		/** A part of the earlier process, otherwise `fresh`. It holds no functions, and changes in place. */
		part<T extends object>(name: string, fresh: T): T {
			check(!Object.hasOwn(parts, name), () => new Error(`Two parts have the name ${name}`));
			parts[name] = Object.assign(fresh, kept[name]);
			return fresh;
		},
	};
}
