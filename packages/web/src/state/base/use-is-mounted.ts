import { useCallback, useEffect, useRef } from 'react';

/** Whether the component is still shown: the user may close a dialog or go to another tab before a reply arrives. */
export function useIsMounted(): () => boolean {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return useCallback(() => isMounted.current, []);
}
