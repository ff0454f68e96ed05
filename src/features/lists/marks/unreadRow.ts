import type { TreeNode } from '../../../editor/trees/treeNode.ts';

/** Whether a row is that of something unread. */
export function isUnread({ item }: TreeNode): boolean {
	return item.contextValue?.endsWith('.unread') === true;
}
