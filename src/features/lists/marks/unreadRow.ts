import type { TreeNode } from '../../../editor/trees/treeNode.ts';

/** What the context of a row of a patchset or conversation is, so that menus can tell whether it is unread. */
export function markedContext(context: string, isUnread: boolean): string {
	return isUnread ? `${context}.unread` : context;
}

/** Whether a row is that of something unread. */
export function isUnread({ item }: TreeNode): boolean {
	return item.contextValue?.endsWith('.unread') === true;
}
