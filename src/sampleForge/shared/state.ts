import { check } from './checks.ts';

/** What a forge keeps, as plain data by part. Parts that share a thing share it after a restart, too. */
export type State = ReturnType<typeof createState>;

/** `kept`: the parts of an earlier process. */
export function createState(kept: Readonly<Record<string, object>> = {}) {
	const parts: Record<string, object> = {};
	return {
		parts,
		isNew: Object.keys(kept).length === 0,
		/** A part as the earlier process left it, otherwise `fresh`. It holds no functions, and changes in place. */
		part<T extends object>(name: string, fresh: T): T {
			check(!Object.hasOwn(parts, name), () => new Error(`Two parts have the name ${name}`));
			parts[name] = Object.assign(fresh, kept[name]);
			return fresh;
		},
	};
}
